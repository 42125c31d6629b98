/* Rank the sections that answer a query. `gradnotesRank` takes the index of gradnotes/site/search_index.py and returns the function `rank`.

   A word of a query matches words of the index with the same stem, longer words that end in it, and its synonyms in docs/synonyms.yml. A word
   that the index lacks matches the most similar words. Rare words weigh most (BM25), titles more than texts, chapters more than lists.

   The results depend little on the weights: changing a weight by a third changes the results of at most one query in each of the lists
   tests/site/queries*.yml. Tried without gain: rarity counted by pages, scores of whole pages, words of the best sections added to the query. */
"use strict";
globalThis.gradnotesRank = ({ sections, words, lengths, synonyms, glossary, isChinese }) => {
  const WORD = /[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*|[-+*/@%&|^]=|(?<![^\s`(])(?:@|\*\*)(?![^\s`),.])/gu;
  const HAN = /\p{Script=Han}+/gu;
  /* Words to ignore in a query, unless it has no others. */
  const STOP = new Set(("a an and any are as at be been between both by can could did difference do does for from get had has have how i if in is " +
    "it its me mean means more my need needed needs of on or should so than that the there these this those to use used using was we were what " +
    "when where which why will with work works would you your").split(" "));
  /* Chinese words to ignore, longest first. They are removed after the synonyms, since some synonyms contain them. */
  const CHINESE_STOP = new RegExp(("为什么 怎么样 怎么办 是什么 什么是 有什么 请问 为何 怎么 怎样 如何 什么 哪些 哪个 哪里 多少 是否 能否 可以 能不能 需要 " +
    "应该 必须 某些 一些 这个 那个 自己 区别 之间 时候 以后 之后 以前 之前 进行 使用 " +
    "的 了 是 在 和 与 就 也 都 把 会 这 那 有 个 要 以 而 被 为 其 或 及 着 吗 呢 我 你 时 后 中 里 用 将 对 让 使 给 从 到 成 能 去").split(" ").join("|"), "gu");
  const TRANSLATION = isChinese ? 0.6 : 1; // weight of the English translation of a Chinese word
  const UNKNOWN_PAIR = isChinese ? 1 : 0.3; // weight of a pair of Chinese characters that belongs to no synonym; in English, only notes contain such pairs
  const PAIR_OF_SYNONYM = 0.2; // weight of a pair of characters of a Chinese synonym that has more
  /* Factors of the scores of pages by address, 1 by default: chapters explain a word, lists only mention it. */
  const KINDS = [[/^engine\//, 0.05], [/^notes\//, 0.5], [/#practice$|\/checkpoint\.html/, 0.6], [/^(what-has-changed|references|proof|index|operations)\.html|^use-the-harness\//, 0.45], [/^(glossary|errors)\.html/, 0.6],
    [/^(labs|inside-the-engine)\//, 0.6], [/^tools\//, 0.9]];
  const MESSAGE = /\b\w*(Error|Warning|Exception)\b/;
  /* The start of an error message, in any capitalization, also in a traceback whose line breaks have become blanks. */
  const LAST_ERROR = /\b\w*(?:error|warning|exception|interrupt)\s*:/giu;
  const FRAME = /^\s*(File ".*|Traceback .*)$/;

  const nameOfPage = (address) => address.split("#")[0].replace(/(\/index)?\.html$/, "").replace(/^.*\//, "").replaceAll("-", " ");
  const pageOf = (number) => sections[number][0].split("#")[0];
  const split = (text) => text.toLowerCase().match(WORD) ?? [];
  /** Split Chinese text, which has no spaces, into pairs of characters, as in the index. A text of one character is returned whole. */
  const pairs = (run) => Array.from({ length: Math.max(run ? 1 : 0, run.length - 1) }, (_, at) => run.slice(at, at + 2));
  const withParts = (list) => list.flatMap((word) => word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word]);

  /** Return the stem of an English word: `running` and `runs` have the same stem, and so have `rate` and `rates`. */
  function stem(word) {
    if (word.length < 4 || /[_\d]/.test(word)) return word;
    return word.replace(/(ies)$/, "y").replace(/(sses)$/, "ss").replace(/([^s])s$/, "$1")
      .replace(/(?<=\w{3})(ing|ed|er|or|ation|ion|ly|ment)$/, "").replace(/(?<=\w{3})(.)\1$/, "$1").replace(/(?<=\w{2})[ey]$/, "");
  }

  const indexWords = Object.keys(words);
  const wordsByStem = new Map();
  for (const word of indexWords) {
    const key = stem(word);
    if (!wordsByStem.has(key)) wordsByStem.set(key, []);
    wordsByStem.get(key).push(word);
  }
  const pairsByChineseWord = new Map(); // of the words that were added to the index
  /** Add a Chinese word to the index, for the sections that contain all its pairs of characters. Return whether there are any. */
  function addChineseWord(word) {
    if (!pairsByChineseWord.has(word)) {
      const ownPairs = pairs(word);
      pairsByChineseWord.set(word, ownPairs);
      if (ownPairs.length > 1 && ownPairs.every((pair) => Object.hasOwn(words, pair))) {
        const [first, ...others] = ownPairs.map((pair) => new Set(sectionsWith(pair)));
        const numbers = [...first].filter((number) => others.every((set) => set.has(number)));
        if (numbers.length) {
          words[word] = numbers.map((number, at) => 2 * (number - (numbers[at - 1] ?? 0)));
          wordsByStem.set(word, [word]);
        }
      }
    }
    return Object.hasOwn(words, word);
  }
  /** Return the numbers of the sections that contain a word. */
  function sectionsWith(word) {
    let number = 0;
    return words[word].map((step) => number += step >> 1);
  }
  const meanLength = lengths.reduce((a, b) => a + b, 0) / lengths.length;
  const factors = sections.map(([address]) => (KINDS.find(([pattern]) => pattern.test(address.replace(/^zh\//, "")))?.[1] ?? 1) * (isChinese && !address.startsWith("zh/") ? 0.7 : 1));
  /* Split the Chinese words of a list into pairs of characters, without the words to ignore. */
  const inPairs = (list) => isChinese ? list.flatMap((word) => word.match(HAN)?.flatMap((run) => run.replace(CHINESE_STOP, " ").trim().split(/\s+/).flatMap(pairs)) ?? [word]) : list;
  const contentStems = (text) => new Set(inPairs(withParts(split(text))).filter((word, _, all) => !STOP.has(word) || all.length === 1).map(stem));
  /* [stems of the title, stems of the page's title and file name, stems of the file name] of each section. The page "Where did my gradient go?" is leaves.html. */
  const titles = sections.map(([address, page, title]) => [contentStems(title), contentStems(`${page} ${nameOfPage(address)}`), contentStems(nameOfPage(address))]);

  /** Return the edit distance of two words (insertions, deletions, changes and swaps of letters), or `most + 1` if it exceeds `most`. */
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let [before, row] = [[], [...Array(b.length + 1).keys()]];
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      if (Math.min(...next) > most) return most + 1;
      [before, row] = [row, next];
    }
    return row[b.length];
  }

  /** Return the words of the index that have the least edit distance to a misspelled word, and that stand in more than one section. The distance is at
      most 2, or 1 if the word has fewer than six letters. A word of fewer than four letters has no such words. */
  function nearest(word) {
    if (word.length < 4) return [];
    const most = word.length < 6 ? 1 : 2;
    const near = indexWords.filter((k) => k.length > 3 && words[k].length > 1).map((k) => [k, distance(word, k, most)]).filter(([, d]) => d <= most);
    const least = Math.min(...near.map(([, d]) => d));
    return near.filter(([, d]) => d === least).map(([k]) => k);
  }

  /** Map each word of the index that matches a word of the query to its weight. If `asPrefix`, words that begin with it match too. */
  function matchingForms(word, asPrefix) {
    const weights = new Map();
    const add = (form, weight) => { if (Object.hasOwn(words, form)) weights.set(form, Math.max(weights.get(form) ?? 0, weight)); };
    for (const form of wordsByStem.get(stem(word)) ?? []) add(form, 0.9);
    add(word, 1);
    if (word.length > 3) for (const k of indexWords) if (k.length > word.length + 2 && words[k].length > 2 && k.endsWith(word) && !k.includes("_")) add(k, 0.5); // `check` also matches `gradcheck`
    if (asPrefix && word.length > 2) for (const k of indexWords) if (k.startsWith(word)) add(k, 0.4);
    if (!weights.size) for (const form of nearest(word)) add(form, 0.7);
    if (!weights.size && word.includes("_")) for (const part of word.split("_")) for (const [form, weight] of matchingForms(part, false)) add(form, weight * 0.6);
    return weights;
  }

  /* [phrase, pattern] of each synonym of several words. A query may have an article between the words, and a plural: `stop the gradients`. */
  const phrasePatterns = synonyms.phrases.map((key) => {
    const parts = key.split(" ").map((word) => word.replace(/[^\w\s]/g, "\\$&"));
    return [key, new RegExp(`(?<!\\S)${parts.join(" (?:(?:the|an?|my) )?")}s?(?!\\S)`)];
  });

  /** Parse a query into terms, which map words of the index to their weights. Return an object: `termList` has the terms, `content` the words of
      the query that are not ignored, `message` all its words in order, and `pasted` is true if the query is a pasted message or `isMessage`. */
  function parseQuery(query, isMessage) {
    let text = query.normalize("NFKC").trim();
    const start = [...text.matchAll(LAST_ERROR)].filter(({ index, 0: name }) => index + name.length < text.length).at(-1)?.index;
    if (start !== undefined) {
      text = text.slice(start).replace(/^(\w*warning\s*:.*)\n[^]*/i, "$1"); // keep only the last message of a traceback; after a warning, a traceback has a line of source
    } else if (text.includes("\n")) {
      const lines = text.split("\n").filter((line) => line.trim() && !FRAME.test(line));
      text = lines.filter((line) => MESSAGE.test(line)).at(-1) ?? lines.join(" ");
    }
    const lower = text.toLowerCase();
    const termList = [];
    let rest = lower.replace(HAN, (chineseText) => {
      let run = chineseText;
      for (const key of synonyms.keys) if (run.includes(key)) {
        run = run.replace(key, " ");
        const ownWords = new Map(pairs(key).filter((pair) => Object.hasOwn(words, pair)).map((pair) => [pair, PAIR_OF_SYNONYM]));
        if (addChineseWord(key)) ownWords.set(key, 1);
        const [first, ...others] = synonymsOf(key).map((term) => new Map([...term].map(([form, weight]) => [form, weight * TRANSLATION])));
        /* In the Chinese edition, the Chinese word matches each English word of the synonym: 梯度累加 is both `gradient` and `accumulation`. */
        termList.push(new Map([...first, ...ownWords]), ...others.map((term) => isChinese && ownWords.has(key) ? term.set(key, 1) : term));
      }
      const isUnderstood = termList.length > 0 || /[\p{L}\p{N}]/u.test(lower.replace(HAN, ""));
      const left = run.replace(CHINESE_STOP, " ").trim() || (isUnderstood ? "" : chineseText);
      for (const part of left.split(/\s+/)) for (const pair of pairs(part)) if (Object.hasOwn(words, pair)) termList.push(new Map([[pair, isUnderstood ? UNKNOWN_PAIR : 1]]));
      return " ";
    }).replace(/["`?!,;]+/g, " ");
    for (const [key, pattern] of phrasePatterns) if (pattern.test(rest)) { rest = rest.replace(pattern, " "); termList.push(...synonymsOf(key)); }
    let queryWords = [...new Set(split(rest))];
    const names = new Set(rest.match(/(?<=\.)\w+|\w+(?=\()/g)); // `where` in torch.where is a name, not a word to ignore
    const content = queryWords.filter((word) => !STOP.has(word) || names.has(word));
    if (content.length || termList.length) queryWords = content;
    const last = /[\p{L}\p{N}_]$/u.test(lower) ? queryWords.at(-1) : undefined;
    for (const word of queryWords) {
      const alternatives = matchingForms(word, word === last);
      const others = synonymsOf(word);
      if (others.length === 1) for (const [form, weight] of others[0]) alternatives.set(form, Math.max(alternatives.get(form) ?? 0, weight));
      else termList.push(...others); // a synonym of several words: each of them is a term
      const isCode = names.has(word) || /[^\p{L}\p{N}]/u.test(word); // a name or an operator is more important than words
      if (alternatives.size && others.length < 2) termList.push(isCode ? new Map([...alternatives].map(([form, weight]) => [form, 1.5 * weight])) : alternatives);
    }
    return { termList: termList.filter((term) => term.size), content: queryWords, message: split(lower), pasted: isMessage || start !== undefined || text.length > 60 || MESSAGE.test(text) };
  }

  /** Return the words of a term to mark in texts: of the six with the highest weights, those over 0.5, without operators, and Chinese ones in pairs. */
  const closest = (term) => [...term].sort((a, b) => b[1] - a[1]).slice(0, 6).filter(([word, weight]) => weight > 0.5 && /^[\p{L}\p{N}]/u.test(word)).flatMap(([word]) => pairsByChineseWord.get(word) ?? [word]);

  /** Return a term for each word that docs/synonyms.yml gives for `key`; [] if it has no such key. Alternatives (`a|b`) are one term. */
  function synonymsOf(key) {
    if (!Object.hasOwn(synonyms.of, key)) return [];
    return synonyms.of[key].map((alternatives) => new Map(alternatives.flatMap((word) => [...matchingForms(word, false)])));
  }

  /** Return the rarity of a word, which is high if few sections contain a word with the same stem. */
  function rarityOf(word) {
    const sectionNumbers = new Set(wordsByStem.get(stem(word)).flatMap(sectionsWith));
    return Math.log(1 + (sections.length - sectionNumbers.size + 0.5) / (sectionNumbers.size + 0.5));
  }

  /** Return whether a title contains a word, given their stems. A Chinese word is in it if all its pairs are. */
  const isIn = (title, word) => title.has(word) || (pairsByChineseWord.get(word)?.every((pair) => title.has(pair)) ?? false);

  /** Map the number of each section that matches a term to its score. */
  function scoreSections(termList, pasted) {
    const score = new Map();
    const matchedRarity = new Map(); // section -> sum of the rarities of the terms that it matches
    let totalRarity = 0;
    for (const term of termList) {
      const hits = new Map(); // section -> score of its text
      const stems = new Map(); // stem -> score of a title that contains it
      let rarity = 0;
      for (const [word, weight] of term) {
        const rare = weight * rarityOf(word); // the rarity of this word; other words of the term may be frequent
        rarity = Math.max(rarity, rare);
        stems.set(stem(word), Math.max(stems.get(stem(word)) ?? 0, rare));
        let number = 0;
        for (const step of words[word]) {
          number += step >> 1;
          const times = step & 1 ? 4 : 1;
          const value = rare * times * 2.2 / (times + 1.2 * (0.3 + 0.7 * lengths[number] / meanLength));
          hits.set(number, Math.max(hits.get(number) ?? 0, value));
        }
      }
      totalRarity += rarity;
      for (const [number, value] of hits) {
        const [title, page, name] = titles[number];
        let extra = 0;
        for (const [stemOfTerm, rare] of stems) {
          if (isIn(title, stemOfTerm)) extra = Math.max(extra, rare * 3.5 / Math.sqrt(title.size));
          if (isIn(page, stemOfTerm)) extra = Math.max(extra, rare * 2 / Math.sqrt(page.size));
          if (isIn(name, stemOfTerm)) extra = Math.max(extra, rare * 3 / Math.sqrt(name.size));
        }
        score.set(number, (score.get(number) ?? 0) + value + (pasted ? extra / 4 : extra));
        matchedRarity.set(number, (matchedRarity.get(number) ?? 0) + rarity);
      }
    }
    for (const [number, value] of score) {
      const fraction = matchedRarity.get(number) / totalRarity;
      const factor = pasted && sections[number][0].startsWith("errors.html") ? 1 : factors[number];
      score.set(number, value * fraction * fraction * factor);
    }
    return score;
  }

  const definitionsByStems = new Map(glossary.map(([term, definition]) => [contentStems(term), [term, definition]]));

  /** Return [term, definition] if the query is a term in the glossary, else undefined. English is compared by the stems of `content`, the query without
      ignored words; Chinese by the query itself, with and without ignored words. */
  function definition(query, content) {
    const names = [query, query.replace(CHINESE_STOP, "")].map(bareName);
    const chineseEntry = isChineseText(query) && glossary.find(([term]) => names.includes(bareName(term)));
    if (chineseEntry) return chineseEntry;
    if (!content.length || isChineseText(query)) return undefined;
    const queryStems = new Set(withParts(content).map(stem));
    const isEqual = ([key]) => key.size === queryStems.size && [...key].every((part) => queryStems.has(part));
    return [...definitionsByStems].find(isEqual)?.[1];
  }

  /** Return a name without leading number, spaces and punctuation: 自动微分 for "5.自动微分". */
  const bareName = (name) => name.normalize("NFKC").toLowerCase().replace(/^\s*\d+[.、\s]+/, "").replace(/[^\p{L}\p{N}]+/gu, "");
  const isChineseText = (text) => (/\p{Script=Han}/u).test(text);
  /* [number, name, parts] of each section with a Chinese name, which ends at U+3000. The parts of "知识点四：detach 的作用" are 知识点四 and detach 的作用. */
  const chineseSections = sections.flatMap(([address, , title], number) => {
    if (isChinese && !address.startsWith("zh/")) return []; // a page of this edition goes before a note with the same heading
    const [name, english] = title.split("\u3000");
    if (english === undefined && !isChineseText(name)) return [];
    return [[number, bareName(name), name.normalize("NFKC").split(/[:,/()]|—+/).filter(isChineseText).map(bareName)]];
  });

  /** Put the sections first whose Chinese name is the query or, if there are none, whose name has the query as a part. If there are no such
      sections either, the section with the shortest name that contains the query is third at the latest: 张量的随机种子 for 随机种子. */
  function namedFirst(query, results) {
    const typedName = bareName(query);
    if (!isChineseText(query)) return results;
    const best = results[0]?.[1] ?? 1;
    const put = (at, matches) => {
      const numbers = new Set(matches.map(([number]) => number));
      const others = results.filter(([number]) => !numbers.has(number));
      return [...others.slice(0, at), ...[...numbers].map((number) => [number, others[at - 1]?.[1] ?? best]), ...others.slice(at)];
    };
    for (const matchesName of [([, name]) => name === typedName, ([, , parts]) => parts.includes(typedName)]) {
      const matches = chineseSections.filter(matchesName);
      if (matches.length) return put(0, matches);
    }
    const longer = chineseSections.filter(([, name]) => typedName.length > 1 && name.includes(typedName)).sort((a, b) => a[1].length - b[1].length);
    const topNumbers = new Set(results.slice(0, 3).map(([number]) => number));
    return longer.some(([number]) => topNumbers.has(number)) ? results : put(2, longer.slice(0, 1));
  }

  /** Rank the sections for `query`. The result has `results`: up to `most` pairs [section number, score], best first, at most two per page;
      `markedWords`: words to mark in texts; `definition`: [term, definition] if the query is a term of the glossary, else undefined; `message`: the words
      of a pasted message, in order, else undefined. If `isMessage`, the query is a message, though it may not look like one. */
  return function rank(query, isMessage = false, most = 20) {
    const { termList, content, message, pasted } = parseQuery(query, isMessage);
    const queryName = query.trim().toLowerCase().replace(/^torch\./, "");
    const scored = [...scoreSections(termList, pasted)].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const scoresByPage = new Map(); // the best four scores of each page: a page with several matching sections ranks higher
    for (const [number, score] of scored) {
      const page = pageOf(number);
      const best = scoresByPage.get(page) ?? scoresByPage.set(page, []).get(page);
      if (best.length < 4) best.push(score);
    }
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    const highest = Math.max(...[...scoresByPage.values()].map(sum));
    const sorted = scored.map(([number, score]) => {
      const [address, , title] = sections[number];
      const exact = title.toLowerCase().replace(/^torch\./, "") === queryName ? 1.6 : 1;
      return [number, score * exact * (address.includes("#") ? 1 : 1.3) * (pasted ? 1 : 1 + sum(scoresByPage.get(pageOf(number))) / highest)];
    }).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const countByPage = new Map();
    const results = sorted.map(([number, score]) => {
      const page = pageOf(number);
      countByPage.set(page, (countByPage.get(page) ?? 0) + 1);
      return [number, score * [1, 0.5][countByPage.get(page) - 1]]; // at most two results per page, the second with half its score
    }).filter(([, score]) => score).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { results: namedFirst(query, results).slice(0, most), markedWords: [...new Set(termList.flatMap(closest))], definition: definition(query, content), message: pasted ? message : undefined };
  };
};
