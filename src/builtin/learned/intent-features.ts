import { hashColumn } from './hash.ts';
import type { WordTag } from './proposal.ts';
import type { WordRow } from './tag-features.ts';

/** Log 2 of the number of columns that features of messages are hashed to. */
export const INTENT_BITS = 18;

const SIGNS: Readonly<Record<WordTag, string>> = {
  none: '',
  title: 'T',
  ref: 'R',
  when: 'W',
  filter: 'F',
  description: 'D',
  new: 'N',
  except: 'X',
  separator: ',',
};

/** Columns of a message, without repeats: the frame with its slots masked, as words and as letters. */
export function intentFeatures({ lower, shapes }: WordRow, tags: readonly WordTag[]): number[] {
  const masked = maskSlots(lower, tags);
  const coarse = masked.map((word) => (isSign(word) || shapes[lower.indexOf(word)] !== 'c' ? word : '_'));
  const found = new Set<number>();
  const add = (name: string) => found.add(hashColumn(name, INTENT_BITS));
  // The topic counts only where no frame is left to decide.
  if (masked.every(isSign))
    for (let size = 1; size <= 2; size++) for (const gram of gramsOf(lower, size)) add(`w${size} ${gram}`);
  for (let size = 1; size <= 4; size++) for (const gram of gramsOf(masked, size)) add(`m${size} ${gram}`);
  for (let size = 2; size <= 4; size++) for (const gram of gramsOf(coarse, size)) add(`c${size} ${gram}`);
  for (const gram of letterGrams(masked)) add(`l ${gram}`);
  add(`whole ${masked.join(' ')}`);
  add(`start ${masked.slice(0, 3).join(' ')}`);
  add(`end ${masked.slice(-3).join(' ')}`);
  add(`slots ${[...new Set(masked.filter(isSign))].sort().join('')}`);
  add(`count ${Math.min(lower.length, 12)}`);
  add(`frame ${Math.min(masked.length, 8)}`);
  return [...found];
}

/** Each run of words with a role becomes one sign, so that the topic of a title cannot decide. */
function maskSlots(lower: readonly string[], tags: readonly WordTag[]): string[] {
  const masked: string[] = [];
  lower.forEach((word, at) => {
    const tag = tags[at] ?? 'none';
    if (tag === 'none') masked.push(word);
    else if (tag !== tags[at - 1]) masked.push(SIGNS[tag]);
  });
  return masked;
}

function isSign(word: string): boolean {
  return /^[A-Z,]$/.test(word);
}

function gramsOf(words: readonly string[], size: number): string[] {
  const padded = ['^', ...words, '$'];
  return padded
    .slice(0, Math.max(0, padded.length - size + 1))
    .map((_, start) => padded.slice(start, start + size).join(' '));
}

function letterGrams(words: readonly string[]): string[] {
  const text = `^ ${words.join(' ')} $`;
  return [3, 4, 5].flatMap((size) =>
    Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size)),
  );
}
