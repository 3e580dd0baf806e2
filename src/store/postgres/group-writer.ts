import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '../../errors.ts';
import type { Link } from './link.ts';
import { isAway, isConflict, toStoreError } from './store-error.ts';

/** An operation of `holodeck_group`; the other fields are its input. */
interface WriteOperation {
  name: 'write' | 'begin' | 'continue' | 'addConversation' | 'deleteConversation' | 'acceptTools';
}

export interface GroupWriter {
  /** Resolves with the operation's answer when it is committed. */
  submit<Answer>(operation: WriteOperation): Promise<Answer>;
  /** Resolves when everything submitted before is settled. */
  drain(): Promise<void>;
}

export interface GroupWriterOptions {
  link: Link;
  url: string;
  /** Whether a write may be tried again after the database went away. */
  isHeld(): boolean;
}

interface Submitted {
  text: string;
  canRepeat: boolean;
  settle(outcome: Outcome): void;
}

type Outcome = { answer: unknown } | { error: AppError };

/** More statements at once gain nothing: waiting writes share the next one. */
const STATEMENTS = 2;
const MAX_GROUP = 100;
const MAX_CHARS = 1_000_000;
/** A repeated write with the same position or id changes nothing, so it may be tried again when its answer was lost. */
const REPEATABLE: readonly string[] = ['write', 'begin', 'continue'];
const CONFLICT_TRIES = 5;
const PAUSE_MS = 100;

/** Takes the first writes that fit into one statement. */
function takeGroup(queue: Submitted[]): Submitted[] {
  let chars = 0;
  let end = 0;
  while (end < queue.length && end < MAX_GROUP && chars < MAX_CHARS) chars += queue[end++]?.text.length ?? 0;
  return queue.splice(0, end);
}

/** Writes that wait are sent as one statement. A group that fails is tried one by one, so no operation fails another. */
export function createGroupWriter({ link, url, isHeld }: GroupWriterOptions): GroupWriter {
  const queue: Submitted[] = [];
  const running = new Set<Promise<void>>();

  const send = async (group: readonly Submitted[], isAgain: boolean): Promise<unknown[]> => {
    const texts = group.map(({ text }) => (isAgain ? `{"again":true,${text.slice(1)}` : text));
    const row = await link.one<{ answers: unknown[] | string }>(
      'SELECT holodeck_group($1::text::jsonb) AS answers',
      `[${texts.join()}]`,
    );
    const answers = row?.answers ?? [];
    return typeof answers === 'string' ? JSON.parse(answers) : answers;
  };
  const runOne = async (one: Submitted, wasLost: boolean): Promise<void> => {
    let isAgain = wasLost;
    let conflicts = 0;
    for (;;) {
      try {
        const [answer] = await send([one], isAgain && one.canRepeat);
        one.settle({ answer });
        return;
      } catch (error) {
        // A first write that was slow to commit conflicts with its repetition; the next try then finds it done.
        if (isConflict(error)) conflicts++;
        const mayRetry = isAway(error) ? one.canRepeat && isHeld() : isConflict(error) && conflicts < CONFLICT_TRIES;
        if (!mayRetry || (isAgain && !one.canRepeat)) {
          one.settle({ error: toStoreError(error, url) });
          return;
        }
        isAgain ||= isAway(error);
        await delay(isAway(error) ? PAUSE_MS : 5 * conflicts);
      }
    }
  };
  const runGroup = async (group: readonly Submitted[]): Promise<void> => {
    try {
      const answers = await send(group, false);
      for (const [index, { settle }] of group.entries()) settle({ answer: answers[index] });
    } catch (error) {
      const lost = isAway(error);
      for (const one of group) {
        // An operation that cannot be repeated fails when its outcome is unknown.
        if (lost && !one.canRepeat) one.settle({ error: toStoreError(error, url) });
      }
      await Promise.all(group.filter((one) => !lost || one.canRepeat).map((one) => runOne(one, lost)));
    }
  };
  const start = () => {
    while (queue.length > 0 && running.size < STATEMENTS) {
      const work = runGroup(takeGroup(queue)).finally(() => {
        running.delete(work);
        start();
      });
      running.add(work);
    }
  };

  return {
    submit<Answer>(operation: WriteOperation) {
      return new Promise<Answer>((resolve, reject) => {
        const settle = (outcome: Outcome) => {
          if ('error' in outcome) reject(outcome.error);
          // The cast is safe: the answer is what the SQL function of this operation returns.
          else resolve(outcome.answer as Answer);
        };
        queue.push({ text: JSON.stringify(operation), canRepeat: REPEATABLE.includes(operation.name), settle });
        // Operations of the same round of the event loop share a statement.
        queueMicrotask(start);
      });
    },
    async drain() {
      while (running.size > 0 || queue.length > 0) await Promise.allSettled([...running]);
    },
  };
}
