import { readFileSync } from 'node:fs';
import { expandShortForms, fullWord } from './short-forms.ts';
import { isOneTypoAway } from './words.ts';

/** Words of commands, of answers and of times, which a misspelt word may stand for. */
const COMMAND_WORDS =
  'add list delete remove remind remember show mark move rename change complete completed finish finished done update undo ' +
  'cancel clear everything what have need task tasks reminder list postpone reschedule push open create all yes please both';
const TIME_WORDS =
  'today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday weekend morning evening afternoon';
const COMMANDS = COMMAND_WORDS.split(' ');
const TIMES = TIME_WORDS.split(' ');
/** Small words that are only ever misspelt by two swapped letters. */
const SMALL = 'and also can the that new with you what when could should would add'.split(' ');
/** A typo is looked for among the first words, where the command is, and the last, where the time or "done" is. */
const FIRST_WORDS = 5;
const LAST_WORDS = 3;
const LEAST_LETTERS = 3;
const LETTERS_FOR_TWO = 8;
const QUOTED = /("[^"]*"|(?<=^|\s)'[^']*'(?=$|\W))/;

/** Corrects misspelt command and time words outside quotes. A title stays as typed as far as possible. */
export function mendTypos(text: string): string {
  const open = text.split(QUOTED).map((part, index) => (index % 2 === 0 ? expandShortForms(part) : part));
  const tokens =
    open.join('').match(/"[^"]*"|(?<=^|\s)'[^']*'(?=$|\W)|[A-Za-z0-9]+(?!['\w])|[^A-Za-z0-9]+|\S+?/g) ?? [];
  const words = tokens.filter((token) => /^[A-Za-z]/.test(token)).length;
  let place = 0;
  return tokens
    .map((token) => {
      if (!/^[A-Za-z0-9]+$/.test(token)) return token;
      if (/^[A-Za-z]/.test(token)) place += 1;
      const isFirst = place === 1;
      return mendWord(token, { isFirst, isNearEdge: place <= FIRST_WORDS || place > words - LAST_WORDS });
    })
    .join('');
}

/** Corrects only small words with two swapped letters ("adn", "alos"), so that every other word keeps its place. */
export function mendSmallWords(text: string): string {
  return text.replace(/(?<![\w'])[A-Za-z]{2,6}(?![\w'])/g, (word) => {
    const lower = word.toLowerCase();
    const small = SMALL.find((other) => isSwapped(lower, other));
    return small === undefined || isKnownWord(lower) ? word : likeCase(word, small);
  });
}

function mendWord(word: string, { isFirst, isNearEdge }: { isFirst: boolean; isNearEdge: boolean }): string {
  const lower = word.toLowerCase();
  const short = fullWord(lower);
  if (short !== undefined) return likeCase(word, short);
  if (isFirst && lower === 'ad') return likeCase(word, 'add');
  const small = SMALL.find((other) => isSwapped(lower, other));
  if (small !== undefined && !isKnownWord(lower)) return likeCase(word, small);
  if (isFirst && /^rem\w{2,4}$/.test(lower) && !isKnownWord(lower) && isTwoTyposAway(lower, 'remember'))
    return likeCase(word, 'remember');
  const isName = /^[A-Z]/.test(word) && !isFirst;
  if (isName || lower.length < LEAST_LETTERS || COMMANDS.includes(lower) || TIMES.includes(lower)) return word;
  const fixed = find(lower, TIMES) ?? (isNearEdge ? find(lower, COMMANDS) : undefined);
  return fixed === undefined || isKnownWord(lower) ? word : likeCase(word, fixed);
}

function find(word: string, known: readonly string[]): string | undefined {
  const near = known.filter((other) => other[0] === word[0] && isOneTypoAway(word, other));
  if (near.length > 0) return near.find((other) => other.length === word.length) ?? near[0];
  const anyFirst = known.find((other) => word.length >= 4 && isOneTypoAway(word, other));
  if (anyFirst !== undefined || word.length < LETTERS_FOR_TWO) return anyFirst;
  return known.find((other) => Math.abs(other.length - word.length) <= 2 && isTwoTyposAway(word, other));
}

/** True if one letter can be dropped so that a single typo is left. */
function isTwoTyposAway(a: string, b: string): boolean {
  const drop = (text: string) => Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
  return drop(a).some((shorter) => isOneTypoAway(shorter, b)) || drop(b).some((shorter) => isOneTypoAway(a, shorter));
}

function isSwapped(a: string, b: string): boolean {
  const isSame = a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
  return isSame && a !== b && isOneTypoAway(a, b);
}

function likeCase(word: string, fixed: string): string {
  return /^[A-Z]/.test(word) ? fixed.charAt(0).toUpperCase() + fixed.slice(1) : fixed;
}

let english: ReadonlySet<string> | undefined;

/** The vocabulary of the word vectors, read when the first suspect word comes up. */
export function isKnownWord(word: string): boolean {
  english ??= new Set<string>(JSON.parse(readFileSync(new URL('./data/word-pieces.json', import.meta.url), 'utf8')));
  return english.has(word);
}
