/* Compare error messages. Numbers and shapes are ignored, since they differ between programs. Loaded by search.js, explained.js and filter.js. */
"use strict";
gradnotes.messages = (() => {
  const TYPE = /\b\w*(?:error|warning|exception|interrupt)\s*:/giu;

  /** Return the text after the last type of an error, such as `RuntimeError:`, in a message or a traceback. Without a type, return the whole text. */
  function withoutType(text) {
    const last = [...text.matchAll(TYPE)].filter(({ index, 0: type }) => text.slice(index + type.length).trim()).at(-1);
    return last ? text.slice(last.index + last[0].length).trim() : text;
  }

  /** Return the type of an error without its module: `Full` for `queue.Full: ...`. */
  const typeOf = (text) => text.split(":")[0].trim().split(".").at(-1);
  /** Return the words of a text in lower case, without those that begin with a digit. */
  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu)?.filter((word) => !/^\d/.test(word)) ?? [];
  const pairsOf = (words) => words.slice(1).map((word, i) => `${words[i]} ${word}`);
  /** Return the part of a message that says which name is missing. Messages with different names do not match, except for attributes of None. */
  const missingNameOf = (text) => (/No module named '[^']+'|(?<!'NoneType' object) has no attribute '[^']+'|name '[^']+' is not defined/i).exec(text)?.[0].toLowerCase();

  /** Return the fraction of the word pairs of `first` that `second` contains, 0 to 1. Both are lists of words. */
  function containment(first, second) {
    const pairs = pairsOf(first);
    const others = new Set(pairsOf(second));
    return pairs.filter((pair) => others.has(pair)).length / (pairs.length || 1);
  }

  /** Return whether two messages without types are the same up to numbers and names. The end of one may be missing, but both must begin with the same two words. */
  function isSame(first, second) {
    const [a, b] = [wordsOf(first), wordsOf(second)];
    const length = Math.min(a.length, b.length);
    const hasSameStart = length > 1 && a[0] === b[0] && a[1] === b[1];
    return hasSameStart && missingNameOf(first) === missingNameOf(second) && containment(a.slice(0, length), b.slice(0, length)) >= 0.6;
  }

  return { withoutType, typeOf, wordsOf, pairsOf, missingNameOf, containment, isSame };
})();
