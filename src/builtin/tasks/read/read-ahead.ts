import type { TurnView } from '../../conversation.ts';
import type { ReaderThread } from '../../reader/reader-thread.ts';
import type { Reading } from '../../reader/reading.ts';
import { recallTasks } from '../task-memory.ts';
import type { TaskToolNames } from '../task-tools.ts';
import { asRead } from './read-message.ts';

/** Readings of messages, by the place of their turn. */
export type Readings = ReadonlyMap<number, Reading>;

const MAX_QUESTIONS = 3;

/** Reads the last message, and those before a question in a caller's history: they are read again. */
export async function readAhead(
  turns: readonly TurnView[],
  names: TaskToolNames,
  reader: ReaderThread,
): Promise<Readings> {
  const places = [turns.length - 1];
  for (let at = turns.length - 2; at >= 0 && places.length <= MAX_QUESTIONS; at--) {
    const { isSeeded, reply = '' } = turns[at] ?? {};
    if (!isSeeded || !reply.includes('?')) break;
    places.push(at);
  }
  const readings = await Promise.all(
    places.map(async (at) => {
      const titles = recallTasks(turns.slice(0, at), names).known.map(({ title }) => title);
      return [at, await reader.read(asRead(turns[at]?.message.content ?? ''), titles)] as const;
    }),
  );
  return new Map(readings.flatMap(([at, reading]) => (reading ? [[at, reading] as const] : [])));
}
