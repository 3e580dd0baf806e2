import { cleanText, stripPoliteness } from './clean-text.ts';
import type { Frame } from './frame.ts';

/** Log 2 of the number of columns that features are hashed to. */
export const FEATURE_BITS = 16;

/** The words that carry a command; any other word is content and becomes a placeholder. */
const COMMAND_WORDS: ReadonlySet<string> = new Set(
  (
    'add create make put insert record log note jot write set start save enter include schedule append new remind reminder ' +
    'remember forget sure task tasks todo todos to-do list lists item items thing things entry chore chores agenda plate ' +
    'show display view see read tell give check get pull bring print find open look review what which any how many do did ' +
    'have has had is are was am be been being there let need needs want wants must should ought gotta got going supposed ' +
    'mark flag complete completed finish finished done tick cross off close resolve wrap wrapped took care taken handled ' +
    'accomplished just already finally all everything every each both delete remove erase drop cancel discard scrap trash rid ' +
    "of clear wipe ditch bin purge empty throw away out anymore more longer no not never mind dont don't change rename " +
    'update edit modify reword replace swap move reschedule postpone push shift delay bump back due deadline date title name ' +
    'description status into as with instead actually meant call called named titled it that this them one ones first ' +
    'second third last next number i me my we our you your the a an to from on in at for by about and or then also still ' +
    'left pending remaining overdue something anything someone who when where why can could would will please hello hi hey ' +
    'thanks thank ok yes up so if know like does were his her their us off'
  ).split(' '),
);
const TIMES =
  /^(?:today|tomorrow|tonight|yesterday|morning|afternoon|evening|noon|week|weekend|month|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?::\d{2})?(?:am|pm)|am|pm)$/;

/** The columns that a message has, without repeats. */
export function featuresOf(text: string, frame: Frame | undefined): number[] {
  const words = wordsOf(text);
  const shape = shapeOf(words);
  const found = new Set<number>();
  const add = (name: string) => found.add(hash(name) >>> (32 - FEATURE_BITS));
  for (let size = 1; size <= 4; size++) for (const gram of gramsOf(shape, size)) add(`s${size}:${gram}`);
  for (let size = 1; size <= 2; size++) for (const gram of gramsOf(words, size)) add(`w${size}:${gram}`);
  add(`n:${Math.min(words.length, 12)}`);
  for (const name of frameFeatures(frame, words)) add(name);
  return [...found];
}

function wordsOf(text: string): string[] {
  return (
    stripPoliteness(cleanText(text))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}]+)*|["']/gu) ?? []
  );
}

/** Content words become one `_`, times `D`, numbers `N`. */
function shapeOf(words: readonly string[]): string[] {
  const shape: string[] = [];
  for (const word of words) {
    const kind = TIMES.test(word)
      ? 'D'
      : /^\d/.test(word)
        ? 'N'
        : COMMAND_WORDS.has(word) || /["']/.test(word)
          ? word
          : '_';
    if (kind !== '_' || shape.at(-1) !== '_') shape.push(kind);
  }
  return shape;
}

function gramsOf(words: readonly string[], size: number): string[] {
  const padded = ['^', ...words, '$'];
  return padded
    .slice(0, Math.max(0, padded.length - size + 1))
    .map((_, start) => padded.slice(start, start + size).join(' '));
}

function frameFeatures(frame: Frame | undefined, words: readonly string[]): string[] {
  if (!frame) return ['f:none'];
  const { action, sure, slots, missing } = frame;
  const kind = `${action}:${sure ? 'sure' : 'open'}`;
  const filled = Object.keys(slots).sort().join('+');
  return [
    `f:${kind}`,
    `f:${kind}:${missing ?? filled}`,
    `f:${kind}:${words[0] ?? ''}`,
    `f:${kind}:${words[0]} ${words[1]}`,
  ];
}

/** FNV-1a with a final mix, so that the upper bits are good. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
