/** The stemmer of M. F. Porter (1980): words that differ only in their endings get the same stem. English, lower case. */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return STEPS.reduce((stem, step) => step(stem), word);
}

/** An ending, its replacement, and the condition on the rest of the word. */
type Rule = readonly [ending: string, by: string, holds?: (rest: string) => boolean];

function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? '';
  if ('aeiou'.includes(letter)) return false;
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1);
}

/** The number of changes from vowels to consonants. */
function measure(word: string): number {
  let changes = 0;
  for (let at = 1; at < word.length; at++) if (isConsonant(word, at) && !isConsonant(word, at - 1)) changes++;
  return changes;
}

const isLong = (rest: string) => measure(rest) > 0;
const isVeryLong = (rest: string) => measure(rest) > 1;

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isConsonant(word, at)) return true;
  return false;
}

function endsWithDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** Consonant, vowel, consonant, as in "hop"; the last is not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || 'wxy'.includes(word[last] ?? '')) return false;
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2);
}

/** Applies the first rule whose ending fits; its condition decides whether anything changes. */
function applyFirst(word: string, rules: readonly Rule[]): string {
  for (const [ending, by, holds] of rules) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, word.length - ending.length);
    return holds && !holds(rest) ? word : rest + by;
  }
  return word;
}

function dropPast(word: string): string {
  if (word.endsWith('eed')) return applyFirst(word, [['eed', 'ee', isLong]]);
  const cut = applyFirst(word, [
    ['ed', '', hasVowel],
    ['ing', '', hasVowel],
  ]);
  if (cut === word) return word;
  if (/(?:at|bl|iz)$/.test(cut)) return `${cut}e`;
  if (endsWithDouble(cut) && !/[lsz]$/.test(cut)) return cut.slice(0, -1);
  return measure(cut) === 1 && endsShort(cut) ? `${cut}e` : cut;
}

const toRules = (pairs: string, holds = (_rest: string) => true): readonly Rule[] =>
  pairs.split(' ').map((pair) => {
    const [ending = '', by = ''] = pair.split(':');
    return [ending, by, holds] as const;
  });

const PLURAL = toRules('sses:ss ies:i ss:ss s:');
const FINAL_Y = toRules('y:i', hasVowel);
const DOUBLE = toRules(
  'ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ' +
    'ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble',
  isLong,
);
const LONG = toRules('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:', isLong);
const LAST: readonly Rule[] = [
  ...toRules('al: ance: ence: er: ic: able: ible: ant: ement: ment: ent:', isVeryLong),
  ['ion', '', (rest) => isVeryLong(rest) && /[st]$/.test(rest)],
  ...toRules('ou: ism: ate: iti: ous: ive: ize:', isVeryLong),
];

const FINAL_E = toRules('e:', (rest) => isVeryLong(rest) || (measure(rest) === 1 && !endsShort(rest)));

function dropDoubleL(word: string): string {
  return word.endsWith('ll') && isVeryLong(word.slice(0, -1)) ? word.slice(0, -1) : word;
}

const apply = (rules: readonly Rule[]) => (word: string) => applyFirst(word, rules);
const STEPS: readonly ((word: string) => string)[] = [
  apply(PLURAL),
  dropPast,
  apply(FINAL_Y),
  apply(DOUBLE),
  apply(LONG),
  apply(LAST),
  apply(FINAL_E),
  dropDoubleL,
];
