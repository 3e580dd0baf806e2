const BREAK =
  /\s*(?:[?;]\s+|\.\s+(?=[A-Z])|,?\s+and\s+(?:also\s+)?|,\s+(?=(?:what|which|how|who|where|when|is|are|show|list)\b))/gi;
const LEAST_WORDS = 2;

/** Splits a message into its questions. Empty when it holds only one. */
export function splitQuestions(text: string): string[] {
  const parts = text
    .split(BREAK)
    .map((part) => part.trim())
    .filter((part) => part.split(/\s+/).length >= LEAST_WORDS);
  return parts.length > 1 ? parts : [];
}

/** Words that are no words: addresses, paths, ids and codes, recognized by their form. */
export type TokenKind = 'url' | 'email' | 'uuid' | 'ip' | 'path' | 'host' | 'code';

export interface Token {
  kind: TokenKind;
  value: string;
  at: number;
  length: number;
}

const EXTENSIONS =
  'txt|md|csv|tsv|json|jsonl|xml|ya?ml|toml|ini|cfg|conf|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|bmp|svg|webp|tiff?|mp3|mp4|wav|mov|avi|zip|tar|gz|html?|css|js|ts|tsx|jsx|py|ipynb|rb|go|rs|java|kt|c|h|cpp|cs|sh|sql|db|env|lock|bak|key|pem';
/** The first kind that matches a place wins. */
const FORMS: readonly [TokenKind, RegExp][] = [
  ['url', /\bhttps?:\/\/[^\s"'<>]+/gi],
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['uuid', /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi],
  ['ip', /\b\d{1,3}(?:\.\d{1,3}){3}\b/g],
  ['code', /(?<![\w.,$€£-])(?:0\d{7,}|\d{10,})(?![\w.,]*\d)/g],
  ['code', /(?<![\w-])[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}(?![\w-])/g],
  ['code', /(?<![\w.])(?:v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})(?![\w.]*\d)/g],
  ['code', /(?<![\w/.:-])(?:feature|feat|fix|bugfix|hotfix|release|chore)\/[\w.-]*\w/g],
  [
    'path',
    /(?<![\w/])(?:~|\.{1,2})?\/[\w.@~-]+(?:\/[\w.@~-]*)*|\b[A-Za-z]:\\[^\s"']+|\b[\w-]+(?:\/[\w.-]+)*\/[\w-]+\.\w{1,5}\b/g,
  ],
  ['path', new RegExp(String.raw`(?<![\w@])[\w-]+(?:\.[\w-]+)*\.(?:${EXTENSIONS})\b(?!\.?\w)`, 'gi')],
  ['host', /(?<![\w@.])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}\b/gi],
  [
    'code',
    /(?<![\w.#-])#?(?=[\w-]*\d)(?=[\d_-]*[A-Za-z])(?!\d+(?:st|nd|rd|th|am|pm|k|m|km|cm|mm|kg|g|mg|lbs?|oz|ml|l|s|ms|h|hrs?|min|mins|sec|x|d|k?hz|[mg]hz|[kmg]b|[kmg]w|mph|kph|c|f|v|w|ft|in|usd|eur|gbp|nd)\b)\w+(?:[-_]\w+)*(?![\w-]*['’]\w)/gi,
  ],
  ['code', /(?<![\w.-])#\d+\b|(?<![\w.:/-])\d+(?:-\d+)+(?![\w:/-])/g],
  ['code', /\b[A-Za-z]+(?:_\w+)+\b|\b[a-z]+[A-Z]\w*\b|(?<!^)\b[A-Z]{2,}[a-z]*[A-Z\d]+\b|^[A-Z]{2,}[a-z]*[A-Z\d]*\d\b/g],
  ['code', /(?<![\w/.:-])[a-z]{2,}(?:\/[a-z\d]+(?:[-_.][a-z\d]+)*)*\/[a-z\d]+(?:[-_.][a-z\d]+)+(?![\w/])/g],
  [
    'code',
    /(?<![\w-])(?!(?:to-do|check-in|check-out|e-mail|up-to-date|one-way|round-trip|sci-fi|(?:well|non|re|co|pre|self|anti|mid|all|high|low|long|short|half|full|semi|multi)-\w+|\w+-(?:friendly|based|free|like|related|fuel(?:l)?ed|star|wide|in|out|up|off|on|old|fi|hand))\b)[a-z]+(?:-[a-z\d]+)+(?![\w-])/g,
  ],
];
const TRAILING = /[.,;:!?)\]}'"]+$/;

/** All tokens of a text in its order, without overlaps. */
export function findTokens(text: string): Token[] {
  const found: Token[] = [];
  for (const [kind, form] of FORMS) {
    for (const match of text.matchAll(form)) {
      const value = match[0].replace(TRAILING, '');
      const isFree = found.every(({ at, length }) => match.index + value.length <= at || match.index >= at + length);
      if (isFree && value !== '') found.push({ kind, value, at: match.index, length: value.length });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
