/* Rank the sections that answer a query. `gradnotesRank` takes the index that gradnotes/site/search_index.py writes and returns the function `rank`.

   A word of a query matches all words of the index with the same stem, words that end in it, and its synonyms in docs/synonyms.yml. A word that
   the index lacks matches the most similar words. Rare words count most (BM25), titles more than texts, chapters more than lists.

   The results depend little on the weights: a change of one by a third changes the result of each list in tests/site/queries*.yml by at most
   one query. Tried without gain: rarity counted by pages, scores of whole pages, words of the best sections added to the query. */
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
  const OF_ENGLISH = isChinese ? 0.6 : 1; // weight of the English translation of a Chinese word
  const LEFT_OVER = isChinese ? 1 : 0.3; // weight of a pair of characters beside known words; in the English edition only the pages of the notes contain it
  /* Factors for kinds of pages, 1 by default: chapters explain, lists only mention. */
  const KINDS = [[/^engine\//, 0.05], [/^notes\//, 0.5], [/#practice$|\/checkpoint\.html/, 0.6], [/^(what-has-changed|map|references|proof|index|operations)\.html|^use-the-harness\//, 0.45], [/^(glossary|errors)\.html/, 0.6],
    [/^(labs|inside-the-engine)\//, 0.6], [/^tools\//, 0.9]];
  const MESSAGE = /\b\w*(Error|Warning|Exception)\b/;
  /* The start of a message in a traceback, in any capitalization, also if its line breaks have become blanks. */
  const LAST_ERROR = /\b\w*(?:error|warning|exception|interrupt)\s*:/giu;
  const FRAME = /^\s*(File ".*|Traceback .*)$/;

  const nameOfPage = (address) => address.split("#")[0].replace(/(\/index)?\.html$/, "").replace(/^.*\//, "").replaceAll("-", " ");
  const pageOf = (number) => sections[number][0].split("#")[0];
  const split = (text) => text.toLowerCase().match(WORD) ?? [];
  /** Split Chinese text into pairs of characters, as in the index, since it has no spaces. */
  const pairs = (run) => Array.from({ length: Math.max(run ? 1 : 0, run.length - 1) }, (_, at) => run.slice(at, at + 2));
  const withParts = (list) => list.flatMap((word) => word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word]);

  /** Return the stem of an English word: the same for `running` and `runs`, and for `rate` and `rates`. */
  function stem(word) {
    if (word.length < 4 || /[_\d]/.test(word)) return word;
    return word.replace(/(ies)$/, "y").replace(/(sses)$/, "ss").replace(/([^s])s$/, "$1")
      .replace(/(?<=\w{3})(ing|ed|er|or|ation|ion|ly|ment)$/, "").replace(/(?<=\w{3})(.)\1$/, "$1").replace(/(?<=\w{2})[ey]$/, "");
  }

  const known = Object.keys(words);
  const ofStem = new Map();
  for (const word of known) {
    const key = stem(word);
    if (!ofStem.has(key)) ofStem.set(key, []);
    ofStem.get(key).push(word);
  }
  const total = lengths.reduce((a, b) => a + b, 0) / lengths.length;
  const kind = sections.map(([address]) => (KINDS.find(([pattern]) => pattern.test(address.replace(/^zh\//, "")))?.[1] ?? 1) * (isChinese && !address.startsWith("zh/") ? 0.7 : 1));
  /* Split the Chinese words of a list into pairs of characters, without the words to ignore. */
  const inPairs = (list) => isChinese ? list.flatMap((word) => word.match(HAN)?.flatMap((run) => run.replace(CHINESE_STOP, " ").trim().split(/\s+/).flatMap(pairs)) ?? [word]) : list;
  const contentStems = (text) => new Set(inPairs(withParts(split(text))).filter((word, _, all) => !STOP.has(word) || all.length === 1).map(stem));
  /* Stems of each section's title, of its page's title and address, and of the address alone. "Where did my gradient go?" is why-autograd/leaves. */
  const titles = sections.map(([address, page, title]) => [contentStems(title), contentStems(`${page} ${nameOfPage(address)}`), contentStems(nameOfPage(address))]);

  /** Return the least number of inserted, deleted, changed and swapped letters between two words; `most + 1` if it exceeds `most`. */
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

  function nearest(word) {
    if (word.length < 4) return [];
    const most = word.length < 6 ? 1 : 2;
    const near = known.filter((k) => k.length > 3 && words[k].length > 1).map((k) => [k, distance(word, k, most)]).filter(([, d]) => d <= most);
    const least = Math.min(...near.map(([, d]) => d));
    return near.filter(([, d]) => d === least).map(([k]) => k);
  }

  /** Map the words of the index that match a word of the query to their weights. */
  function forms(word, asPrefix) {
    const weights = new Map();
    const add = (form, weight) => { if (Object.hasOwn(words, form)) weights.set(form, Math.max(weights.get(form) ?? 0, weight)); };
    for (const form of ofStem.get(stem(word)) ?? []) add(form, 0.9);
    add(word, 1);
    if (word.length > 3) for (const k of known) if (k.length > word.length + 2 && words[k].length > 2 && k.endsWith(word) && !k.includes("_")) add(k, 0.5); // `check` also matches `gradcheck`
    if (asPrefix && word.length > 2) for (const k of known) if (k.startsWith(word)) add(k, 0.4);
    if (!weights.size) for (const form of nearest(word)) add(form, 0.7);
    if (!weights.size && word.includes("_")) for (const part of word.split("_")) for (const [form, weight] of forms(part, false)) add(form, weight * 0.6);
    return weights;
  }

  /** Parse a query into terms: each maps matching words of the index to their weights. */
  function terms(query) {
    let text = query.normalize("NFKC").trim();
    const start = [...text.matchAll(LAST_ERROR)].filter(({ index, 0: name }) => index + name.length < text.length).at(-1)?.index;
    if (start !== undefined) {
      text = text.slice(start).replace(/^(\w*warning\s*:.*)\n[^]*/i, "$1"); // keep the last message of a traceback; a line of source follows a warning
    } else if (text.includes("\n")) {
      const lines = text.split("\n").filter((line) => line.trim() && !FRAME.test(line));
      text = lines.filter((line) => MESSAGE.test(line)).at(-1) ?? lines.join(" ");
    }
    const lower = text.toLowerCase();
    const termList = [];
    let rest = lower.replace(HAN, (whole) => {
      let run = whole;
      for (const key of synonyms.keys) if (run.includes(key)) {
        run = run.replace(key, " ");
        const [first, ...others] = synonymsOf(key);
        termList.push(new Map([...[...first].map(([form, weight]) => [form, weight * OF_ENGLISH]), ...pairs(key).filter((pair) => Object.hasOwn(words, pair)).map((pair) => [pair, 1])]), ...others);
      }
      const isUnderstood = termList.length > 0 || /[\p{L}\p{N}]/u.test(lower.replace(HAN, ""));
      const left = run.replace(CHINESE_STOP, " ").trim() || (isUnderstood ? "" : whole);
      for (const part of left.split(/\s+/)) for (const pair of pairs(part)) if (Object.hasOwn(words, pair)) termList.push(new Map([[pair, isUnderstood ? LEFT_OVER : 1]]));
      return " ";
    }).replace(/["`?!,;]+/g, " ");
    for (const key of synonyms.phrases) if (` ${rest} `.includes(` ${key} `)) { rest = rest.replace(key, " "); termList.push(...synonymsOf(key)); }
    let queryWords = [...new Set(split(rest))];
    const called = new Set(rest.match(/(?<=\.)\w+|\w+(?=\()/g)); // `where` in torch.where is a name, not a word to ignore
    const content = queryWords.filter((word) => !STOP.has(word) || called.has(word));
    if (content.length || termList.length) queryWords = content;
    const last = /[\p{L}\p{N}_]$/u.test(lower) ? queryWords.at(-1) : undefined;
    for (const word of queryWords) {
      const alternatives = forms(word, word === last);
      const others = synonymsOf(word);
      if (others.length === 1) for (const [form, weight] of others[0]) alternatives.set(form, Math.max(alternatives.get(form) ?? 0, weight));
      else termList.push(...others); // a synonym of several words: each is a term
      const code = called.has(word) || /[^\p{L}\p{N}]/u.test(word); // a name or an operator is more important than words
      if (alternatives.size && others.length < 2) termList.push(code ? new Map([...alternatives].map(([form, weight]) => [form, 1.5 * weight])) : alternatives);
    }
    return { found: termList.filter((term) => term.size), content: queryWords, message: split(lower), pasted: start !== undefined || text.length > 60 || MESSAGE.test(text) };
  }

  /** Return the words of a term, at most six, to mark in texts. Operators are not marked. */
  const closest = (term) => [...term].sort((a, b) => b[1] - a[1]).slice(0, 6).filter(([word, weight]) => weight > 0.5 && /^[\p{L}\p{N}]/u.test(word)).map(([word]) => word);

  /** Return the terms for `key` in docs/synonyms.yml, one per word: each maps words of the index to their weights. */
  function synonymsOf(key) {
    if (!Object.hasOwn(synonyms.of, key)) return [];
    return synonyms.of[key].map((alternatives) => new Map(alternatives.flatMap((word) => [...forms(word, false)])));
  }

  /** Return the rarity of a word: high if few sections contain a word with its stem. */
  function rarityOf(word) {
    const sectionNumbers = new Set();
    for (const form of ofStem.get(stem(word))) {
      let number = 0;
      for (const step of words[form]) sectionNumbers.add(number += step >> 1);
    }
    return Math.log(1 + (sections.length - sectionNumbers.size + 0.5) / (sectionNumbers.size + 0.5));
  }

  function scores(termList, pasted) {
    const score = new Map();
    const mass = new Map();
    let whole = 0;
    for (const term of termList) {
      const hits = new Map(); // section -> score of its text
      const stems = new Map(); // stem -> score of a title that contains it
      let rarity = 0;
      for (const [word, weight] of term) {
        const rare = weight * rarityOf(word); // of the word itself, since its synonyms may be frequent
        rarity = Math.max(rarity, rare);
        stems.set(stem(word), Math.max(stems.get(stem(word)) ?? 0, rare));
        let number = 0;
        for (const step of words[word]) {
          number += step >> 1;
          const times = step & 1 ? 4 : 1;
          const value = rare * times * 2.2 / (times + 1.2 * (0.3 + 0.7 * lengths[number] / total));
          hits.set(number, Math.max(hits.get(number) ?? 0, value));
        }
      }
      whole += rarity;
      for (const [number, value] of hits) {
        const [title, page, name] = titles[number];
        let extra = 0;
        for (const [stemOfTerm, rare] of stems) {
          if (title.has(stemOfTerm)) extra = Math.max(extra, rare * 3.5 / Math.sqrt(title.size));
          if (page.has(stemOfTerm)) extra = Math.max(extra, rare * 2 / Math.sqrt(page.size));
          if (name.has(stemOfTerm)) extra = Math.max(extra, rare * 3 / Math.sqrt(name.size));
        }
        score.set(number, (score.get(number) ?? 0) + value + (pasted ? extra / 4 : extra));
        mass.set(number, (mass.get(number) ?? 0) + rarity);
      }
    }
    for (const [number, value] of score) {
      const share = mass.get(number) / whole;
      const list = pasted && sections[number][0].startsWith("errors.html") ? 1 : kind[number];
      score.set(number, value * share * share * list);
    }
    return score;
  }

  const defined = new Map(glossary.map(([term, definition]) => [contentStems(term), [term, definition]]));

  /** Return [term, definition] if the words of the query are a term of the glossary, else undefined. */
  function definition(content) {
    if (!content.length) return undefined;
    const queryStems = new Set(withParts(content).map(stem));
    const same = ([key]) => key.size === queryStems.size && [...key].every((part) => queryStems.has(part));
    return [...defined].find(same)?.[1];
  }

  /** Return a name without leading number, spaces and punctuation: 自动微分 for "5.自动微分". */
  const bare = (name) => name.normalize("NFKC").toLowerCase().replace(/^\s*\d+[.、\s]+/, "").replace(/[^\p{L}\p{N}]+/gu, "");
  const chinese = (text) => /\p{Script=Han}/u.test(text);
  /* [number, name, parts] of each section with a Chinese name, which ends at U+3000; parts are such as 知识点四 and detach 的作用. */
  const inChinese = sections.flatMap(([, , title], number) => {
    const [name, english] = title.split("\u3000");
    if (english === undefined && !chinese(name)) return [];
    return [[number, bare(name), name.normalize("NFKC").split(/[:,/()]|—+/).filter(chinese).map(bare)]];
  });

  /** Put sections whose Chinese name is the query first, or else those of whose name it is a part. A section with a longer name that
      contains the query, such as 张量的随机种子 for 随机种子, is third at the latest. */
  function namedFirst(query, results) {
    const typedName = bare(query);
    if (!chinese(query)) return results;
    const best = results[0]?.[1] ?? 1;
    const put = (at, matches) => {
      const numbers = new Set(matches.map(([number]) => number));
      const others = results.filter(([number]) => !numbers.has(number));
      return [...others.slice(0, at), ...[...numbers].map((number) => [number, others[at - 1]?.[1] ?? best]), ...others.slice(at)];
    };
    for (const same of [([, name]) => name === typedName, ([, , parts]) => parts.includes(typedName)]) {
      const matches = inChinese.filter(same);
      if (matches.length) return put(0, matches);
    }
    const longer = inChinese.filter(([, name]) => typedName.length > 1 && name.includes(typedName)).sort((a, b) => a[1].length - b[1].length);
    const topNumbers = new Set(results.slice(0, 3).map(([number]) => number));
    return longer.some(([number]) => topNumbers.has(number)) ? results : put(2, longer.slice(0, 1));
  }

  /** Rank the sections for `query`. The result has `results`: [section number, score], best first, at most two per page; `asked`: words to mark
      in texts; `definition`: [term, definition] if the query is a term of the glossary; `message`: the words of a pasted error, in order. */
  return function rank(query, most = 20) {
    const { found, content, message, pasted } = terms(query);
    const whole = query.trim().toLowerCase();
    const scored = [...scores(found, pasted)].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const ofPages = new Map(); // best scores of each page: a page that is wholly about the query ranks higher
    for (const [number, score] of scored) {
      const page = pageOf(number);
      const best = ofPages.get(page) ?? ofPages.set(page, []).get(page);
      if (best.length < 4) best.push(score);
    }
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    const highest = Math.max(...[...ofPages.values()].map(sum));
    const sorted = scored.map(([number, score]) => {
      const [address, , title] = sections[number];
      const exact = title.toLowerCase().replace(/^torch\./, "") === whole.replace(/^torch\./, "") ? 1.6 : 1;
      return [number, score * exact * (address.includes("#") ? 1 : 1.3) * (pasted ? 1 : 1 + sum(ofPages.get(pageOf(number))) / highest)];
    }).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const ofPage = new Map();
    const results = sorted.map(([number, score]) => {
      const page = pageOf(number);
      ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
      return [number, score * [1, 0.5][ofPage.get(page) - 1]]; // at most two results per page, the second with half its score
    }).filter(([, score]) => score).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { results: namedFirst(query, results).slice(0, most), asked: [...new Set(found.flatMap(closest))], definition: definition(content), message: pasted ? message : undefined };
  };
};
