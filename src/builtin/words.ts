/** Words as the built-in model compares them: small, pure, English. */

const IRREGULAR: Readonly<Record<string, string>> = {
  bought: 'buy',
  paid: 'pay',
  made: 'make',
  did: 'do',
  done: 'do',
  went: 'go',
  gone: 'go',
  got: 'get',
  gotten: 'get',
  sent: 'send',
  wrote: 'write',
  written: 'write',
  took: 'take',
  taken: 'take',
  gave: 'give',
  given: 'give',
  met: 'meet',
  read: 'read',
  ran: 'run',
  saw: 'see',
  seen: 'see',
  spoke: 'speak',
  told: 'tell',
  brought: 'bring',
  built: 'build',
  sold: 'sell',
  found: 'find',
  fed: 'feed',
  fixed: 'fix',
  swept: 'sweep',
  drove: 'drive',
  began: 'begin',
  chose: 'choose',
  ate: 'eat',
  swam: 'swim',
  hung: 'hang',
  left: 'leave',
  lent: 'lend',
  mum: 'mom',
  mother: 'mom',
  father: 'dad',
};

export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the my our your his her their this that these those to of for on in at by with from and or about is are was ' +
    'were be been it its i me we you us do did does have has had will would can could should please just so as ' +
    'task tasks item items thing things one ones todo todos reminder entry'
  ).split(' '),
);

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
}

/** Shorter beginnings are shared by words that have nothing to do with each other. */
const LEAST_BEGINNING = 5;

/** Whether one of two words begins with the other: "abandon" and "abandonment". */
export function isSameBeginning(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= LEAST_BEGINNING && long.startsWith(short);
}

/** Endings are taken off until none is left: "ratings", "rating" and "rated" are one. */
export function rootOf(word: string): string {
  const once = stem(word);
  const twice = stem(once);
  return twice.length >= 3 ? twice : once;
}

/** A word without its endings, so that "buying", "buys" and "bought" meet "buy". */
export function stem(word: string): string {
  const base = word.replace(/['’]s?$/, '');
  const irregular = Object.hasOwn(IRREGULAR, base) ? IRREGULAR[base] : undefined;
  if (irregular) return irregular;
  if (base.length > 5 && base.endsWith('ies')) return `${base.slice(0, -3)}y`;
  if (base.length > 4 && base.endsWith('ied')) return `${base.slice(0, -3)}y`;
  if (base.length > 5 && base.endsWith('ing')) return trimStem(base.slice(0, -3));
  if (base.length > 4 && base.endsWith('ed')) return trimStem(base.slice(0, -2));
  if (base.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(base)) return base.slice(0, -2);
  if (base.length > 3 && base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) return dropFinalE(base.slice(0, -1));
  return dropFinalE(base);
}

function trimStem(text: string): string {
  const single = /([bdgklmnprt])\1$/.test(text) && !/(?:ll|ss)$/.test(text) ? text.slice(0, -1) : text;
  return dropFinalE(single);
}

function dropFinalE(text: string): string {
  return text.length > 3 && text.endsWith('e') ? text.slice(0, -1) : text;
}

export function toStems(text: string): string[] {
  return toWords(text).map(stem);
}

/** The stems that carry meaning; all of them where nothing else is left. */
export function contentStems(text: string): string[] {
  const words = toWords(text);
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return (content.length > 0 ? content : words).map(stem);
}

/** True when one letter was added, dropped, changed, or two neighbours were swapped. */
export function isOneTypoAway(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** "second", "2nd", "#2", "number two", "2" → 2; "last" → -1. */
export function readPosition(text: string): number | undefined {
  const word = text
    .toLowerCase()
    .replace(/^(?:the|my|that|tasks?|items?|todos?|numbers?|no\.?|nr\.?|num|option|#|\s)+/g, '')
    .replace(/\s*(?:one|task|item|todo|option|reminder|entry|on (?:the|my) list|in (?:the|my) list|\.)*$/g, '')
    .trim();
  if (word === 'last' || word === 'latter' || word === 'bottom') return -1;
  if (word === 'former' || word === 'top') return 1;
  const digits = /^#?(\d{1,4})(?:st|nd|rd|th)?$/.exec(word);
  if (digits) return Number(digits[1]) || undefined;
  const ordinal = ORDINALS.indexOf(word);
  if (ordinal >= 0) return ordinal + 1;
  const number = NUMBERS.indexOf(word === '' && /\bone\b/i.test(text) ? '' : word);
  return number > 0 ? number : undefined;
}
