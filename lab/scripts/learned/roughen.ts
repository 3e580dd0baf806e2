import type { Random } from './random.ts';

const PREFIXES = [
  'please',
  'hey',
  'ok',
  'so',
  'um',
  'hi,',
  'well,',
  'alright,',
  'oh,',
  'hey there,',
  'ok so',
  'right,',
];
const SUFFIXES = ['please', 'thanks', 'pls', 'ok?', '!', '.', '.', '.', 'thx', ', thank you', '...', 'for me', '!!'];
/** Spellings of hurried people. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  to: ['2'],
  for: ['4'],
  you: ['u'],
  your: ['ur'],
  are: ['r'],
  and: ['n', '&'],
  please: ['pls', 'plz'],
  tomorrow: ['tmrw', 'tomo', 'tmr', '2moro', 'tomorow'],
  today: ['2day', 'tdy'],
  tonight: ['2nite', 'tonite'],
  before: ['b4'],
  because: ['cuz', 'bc'],
  with: ['w', 'w/'],
  about: ['abt', 'bout'],
  what: ['wat', 'wut'],
  remind: ['remidn', 'rmd', 'reming'],
  reminder: ['remindr'],
  delete: ['delet', 'del'],
  remove: ['remov', 'rmove'],
  finished: ['finishd', 'finshed'],
  task: ['tsk', 'taks'],
  list: ['lsit', 'lst'],
  everything: ['everythin', 'evrything'],
  monday: ['mon'],
  tuesday: ['tues'],
  wednesday: ['weds', 'wendesday'],
  thursday: ['thurs'],
  friday: ['fri'],
  saturday: ['sat'],
  sunday: ['sun'],
  something: ['smth'],
  "don't": ['dont', 'do not'],
  "i'm": ['im'],
  "what's": ['whats', 'wats'],
  "it's": ['its'],
  through: ['thru'],
  need: ['ned', 'nee'],
  have: ['hav'],
  going: ['goin'],
  done: ['doen', 'dun'],
  completed: ['compelted', 'complted'],
  mark: ['makr'],
  change: ['chnage', 'chage'],
  rename: ['renmae'],
  move: ['mvoe'],
};

/** A piece of a sentence and the role of its words. */
interface Piece<Tag extends string> {
  text: string;
  tag: Tag | 'none';
}

/** Writes a sentence the way people type: asides, any casing, missing marks, and misspellings in `share` of them. */
export function roughen<Tag extends string>(
  segments: readonly Piece<Tag>[],
  random: Random,
  share = 0.3,
): Piece<Tag>[] {
  let parts = addAsides(segments, random);
  if (random.chance(share)) parts = misspell(parts, random);
  if (random.chance(0.12)) parts = parts.map((part) => ({ ...part, text: part.text.replace(/['’]/g, '') }));
  const casing = random.next();
  if (casing < 0.55) return parts.map((part) => ({ ...part, text: part.text.toLowerCase() }));
  if (casing < 0.8) return parts.map((part, at) => (at === 0 ? { ...part, text: capitalise(part.text) } : part));
  if (casing < 0.82) return parts.map((part) => ({ ...part, text: part.text.toUpperCase() }));
  return parts;
}

function addAsides<Tag extends string>(segments: readonly Piece<Tag>[], random: Random): Piece<Tag>[] {
  const parts = [...segments];
  if (random.chance(0.08)) parts.unshift({ text: `${random.pick(PREFIXES)} `, tag: 'none' });
  if (random.chance(0.14)) {
    const suffix = random.pick(SUFFIXES);
    parts.push({ text: /^\p{L}/u.test(suffix) ? ` ${suffix}` : suffix, tag: 'none' });
  }
  return parts;
}

function misspell<Tag extends string>(parts: readonly Piece<Tag>[], random: Random): Piece<Tag>[] {
  const words = parts.flatMap((part) => part.text.match(/[\p{L}']+/gu) ?? []).length;
  const rate = Math.max(0.15, 1.4 / Math.max(1, words));
  return parts.map((part) => ({
    ...part,
    text: part.text.replace(/[\p{L}']+/gu, (word) => (random.chance(rate) ? misspellWord(word, random) : word)),
  }));
}

function misspellWord(word: string, random: Random): string {
  const short = SHORT[word.toLowerCase()];
  if (short && random.chance(0.7)) return random.pick(short);
  if (word.length < 4) return word;
  const at = 1 + random.below(word.length - 2);
  const kind = random.next();
  if (kind < 0.4) return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  if (kind < 0.7) return word.slice(0, at) + word.slice(at + 1);
  if (kind < 0.85) return word.slice(0, at) + word.charAt(at) + word.slice(at);
  return word.slice(0, at) + neighbourKey(word.charAt(at), random) + word.slice(at + 1);
}

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

function neighbourKey(letter: string, random: Random): string {
  const row = ROWS.find((keys) => keys.includes(letter));
  if (!row) return letter;
  const at = row.indexOf(letter) + (random.chance(0.5) ? 1 : -1);
  return row.charAt(at) || letter;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
