import { isKnownWord } from '../../../language/typos.ts';
import { isOneTypoAway, stem } from '../../../language/words.ts';

/** The sign of a time in a text, on both sides of its number. */
export const MARK = '\u0002';

/** Words that change a time, or say that it has changed. */
const MOVING = listOf(
  'move moves moved moving push pushed pushing shift shifts shifted put set make made change changes changed changing reschedule rescheduled ' +
    'postpone postponed prepone preponed bring brought delay delayed bump bumped slip slipped instead rather earlier later sooner now correct update ' +
    'adjust meant actually sorry no correction forward switch extend extended deadline due better best must happen leave keep give',
);
/** Words around a new time that say nothing else. */
const AROUND = listOf(
  'the a an my our your that this it its those these them they one ones task tasks thing things item items reminder entry appointment is are be been got gets get has ' +
    'will to for on onto at by until till from before around in of and also then so please pls plz kindly can could would you u just only same still well right yes yeah ' +
    'yep ok okay oh ah hm hmm um er hey hi hello lets let time timing date day days hour start thanks thank cheers ta latest all both everything every each whatever ' +
    "open remaining rest whole lot two three four five it's that's let's back up down over again me mean do wait one's they're there here with about regarding ugh argh oops first second third last next though tho other others us anyway",
);
/** True if every word of a part is of a title, of moving, or says nothing. */
export function isClosed(part: string, names: ReadonlySet<string>): boolean {
  return saidWords(part).every((word) => isName(word, names) || isFiller(word));
}

function isFiller(word: string): boolean {
  return MOVING.has(word) || AROUND.has(word) || isMisspelt(word);
}

const LONG = [...MOVING, ...AROUND].filter((word) => word.length > 5);

/** "actualy" */
function isMisspelt(word: string): boolean {
  return word.length > 5 && !isKnownWord(word) && LONG.some((other) => isOneTypoAway(word, other));
}

export function hasCue(part: string): boolean {
  return saidWords(part).some((word) => MOVING.has(word));
}

function listOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** The words of a part, without its times. */
export function saidWords(part: string): string[] {
  const bare = part.replace(new RegExp(`${MARK}\\d${MARK}`, 'g'), ' ').toLowerCase();
  return bare.match(/[\p{L}\p{N}]+(?:['’.:-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** True if a word is of the titles. */
export function isName(word: string, names: ReadonlySet<string>): boolean {
  const own = stem(word.replace(/['’]s$/u, ''));
  return names.has(own) || (own.length > 4 && [...names].some((name) => name.length > 4 && isOneTypoAway(own, name)));
}
