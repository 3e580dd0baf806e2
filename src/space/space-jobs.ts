import type { Clock } from '../clock.ts';
import type { JsonObject } from '../schema/json.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { completedMessage, failedMessage, type MessageIds, runningMessage } from './space-answer.ts';
import type { DeskOutcome, SpaceDesk } from './space-desk.ts';

/** Questions that are being answered: asked with one call, and looked after with others. */
export interface SpaceJobs {
  /** The answer if it comes at once, otherwise the running state. */
  ask(question: string, asker: Asker): Promise<JsonObject>;
  /** The same later; undefined when this user has asked no such question. */
  poll(ids: MessageIds, asker: Asker): Promise<JsonObject | undefined>;
  close(): void;
}

interface Asker {
  userId: string;
  conversationId?: string;
  signal: AbortSignal;
}

interface Job {
  ids: MessageIds;
  userId: string;
  message: Promise<JsonObject>;
  stop: AbortController;
  cancelTimer(): void;
}

/** An answer that takes longer is told as running. */
const AT_ONCE_MS = 3_000;
/** Nobody looks after an answer that is older. */
const KEEP_MS = 10 * 60_000;
const MAX_JOBS = 500;

export function createSpaceJobs(desk: SpaceDesk, clock: Clock): SpaceJobs {
  const jobs = new Map<string, Job>();
  const forget = (id: string) => {
    const job = jobs.get(id);
    job?.stop.abort();
    job?.cancelTimer();
    jobs.delete(id);
  };
  const begin = (question: string, { userId, conversationId }: Asker): Job => {
    const ids = { conversationId: conversationId ?? newUlid(), messageId: newUlid() };
    const stop = new AbortController();
    const message = desk.answer(question, stop.signal).then((outcome) => toMessage(outcome, ids));
    const cancelTimer = clock.after(KEEP_MS, () => forget(ids.messageId));
    const job = { ids, userId, message, stop, cancelTimer };
    jobs.set(ids.messageId, job);
    const [oldest] = jobs.keys();
    if (jobs.size > MAX_JOBS && oldest !== undefined) forget(oldest);
    return job;
  };
  const look = async (job: Job, signal: AbortSignal): Promise<JsonObject> => {
    const message = await waitFor(job, { signal, clock });
    if (message) forget(job.ids.messageId);
    return message ?? runningMessage(job.ids);
  };
  return {
    ask: (question, asker) => look(begin(question, asker), asker.signal),
    async poll(ids, asker) {
      const job = jobs.get(ids.messageId);
      if (job?.userId !== asker.userId || job.ids.conversationId !== ids.conversationId) return undefined;
      return look(job, asker.signal);
    },
    close() {
      for (const id of jobs.keys()) forget(id);
    },
  };
}

/** The message, or nothing when it takes too long. Who leaves while waiting wants no answer: the query is stopped. */
async function waitFor(
  job: Job,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<JsonObject | undefined> {
  const leave = () => job.stop.abort();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.after(AT_ONCE_MS, () => late.resolve(undefined));
  try {
    return await Promise.race([job.message, late.promise]);
  } finally {
    cancel();
    signal.removeEventListener('abort', leave);
  }
}

function toMessage(outcome: DeskOutcome, ids: MessageIds): JsonObject {
  if ('answer' in outcome) return completedMessage(outcome.answer, ids);
  return failedMessage(outcome.failure, ids, outcome.isCancelled ? 'CANCELLED' : 'FAILED');
}
