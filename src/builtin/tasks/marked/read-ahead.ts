import { dropSounds } from '../../../language/clean-text.ts';
import { expandDays } from '../../../language/short-forms.ts';
import { mendSmallWords } from '../../../language/typos.ts';
import type { TurnView } from '../../conversation.ts';
import type { ReaderThread } from '../../reader/reader-thread.ts';
import type { Reading } from '../../reader/reading.ts';
import { recallTasks } from '../task-memory.ts';
import type { TaskToolNames } from '../task-tools.ts';

/** Readings of messages, by the place of their turn. */
export type Readings = ReadonlyMap<number, Reading>;

/** Twice what a title may have; a longer message is no command, and reading it would take too long. */
export const MAX_READ_CHARS = 1_000;
/** How many questions in a row are followed back to find out what an answer belongs to. */
export const MAX_QUESTIONS = 5;

/** True if the turn ended with a question of ours. */
export function asksBack({ reply = '' }: TurnView): boolean {
  return /\?|\(yes or no\)$/.test(reply);
}

/** A message as the learned reader gets it. */
export function asRead(text: string): string {
  return mendSmallWords(expandDays(dropSounds(text.slice(0, MAX_READ_CHARS))));
}

/** Reads the last message, and those before it that led to questions: their plans are played again. */
export async function readAhead(
  turns: readonly TurnView[],
  names: TaskToolNames,
  reader: ReaderThread,
): Promise<Readings> {
  const places = [turns.length - 1];
  for (let at = turns.length - 2; at >= 0 && places.length <= MAX_QUESTIONS; at--) {
    const turn = turns[at];
    if (!turn || !asksBack(turn)) break;
    places.push(at);
  }
  const readings = await Promise.all(
    places.map(async (at) => {
      const text = asRead(turns[at]?.message.content ?? '');
      const titles = recallTasks(turns.slice(0, at), names).known.map(({ title }) => title);
      return [at, await reader.read(text, titles)] as const;
    }),
  );
  return new Map(readings.flatMap(([at, reading]) => (reading ? [[at, reading] as const] : [])));
}
