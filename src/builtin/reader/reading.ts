import type { EncoderScores } from './encoder.ts';
import { kindOf, type MarkKind, MESSAGE_LABELS, type MessageLabel, WORD_ROLES } from './labels.ts';
import { splitWords } from './word-pieces.ts';

/** Words of a message with a role. */
export interface Mark {
  kind: MarkKind;
  text: string;
  start: number;
  end: number;
  /** The lowest probability among its words. */
  chance: number;
}

/** The learned reading of a message: how likely it is to do each thing, and the words that matter. */
export interface Reading {
  labels: Readonly<Record<MessageLabel, number>>;
  marks: readonly Mark[];
  /** The lowest probability among all words: a doubt anywhere is a doubt about the whole. */
  chance: number;
}

/** Turns scores into marks. `firsts` has the place of each word among the pieces. */
export function toReading(text: string, { labels, roles }: EncoderScores, firsts: readonly number[]): Reading {
  const words = splitWords(text).slice(0, firsts.length);
  const marks: Mark[] = [];
  let lowest = 1;
  let open: Mark | undefined;
  for (const [index, word] of words.entries()) {
    const { role, chance } = bestRole(roles[firsts[index] ?? 0] ?? new Float32Array(WORD_ROLES));
    lowest = Math.min(lowest, chance);
    const kind = kindOf(role);
    const isBegun = role % 2 === 1;
    if (kind === undefined) open = undefined;
    else if (open?.kind === kind && !isBegun) {
      open.end = word.end;
      open.chance = Math.min(open.chance, chance);
    } else {
      open = { kind, text: '', start: word.start, end: word.end, chance };
      marks.push(open);
    }
  }
  for (const mark of marks) mark.text = text.slice(mark.start, mark.end);
  const chances = MESSAGE_LABELS.map((name, index) => [name, 1 / (1 + Math.exp(-(labels[index] ?? 0)))]);
  // The list has a value for each label, in their order.
  return { labels: Object.fromEntries(chances) as Record<MessageLabel, number>, marks, chance: lowest };
}

/** The likeliest role. It does not matter where a time begins: "for" and "next Friday" are one time or two. */
function bestRole(scores: Float32Array): { role: number; chance: number } {
  const role = scores.indexOf(Math.max(...scores));
  const top = scores[role] ?? 0;
  const total = scores.reduce((sum, score) => sum + Math.exp(score - top), 0);
  const twin = kindOf(role) === 'when' ? Math.exp((scores[role % 2 === 1 ? role + 1 : role - 1] ?? 0) - top) : 0;
  return { role, chance: (1 + twin) / total };
}
