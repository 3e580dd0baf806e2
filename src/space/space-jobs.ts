import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { JsonObject } from '../schema/json.ts';
import {
  type AnswerOutcome,
  completedMessage,
  failedMessage,
  type MessageIds,
  runningMessage,
} from './space-answer.ts';
import type { SpaceAnswerer } from './space-answerer.ts';

/** Questions in progress: asked with one call and polled with others. */
export interface SpaceJobs {
  /** A question in words, or a query object. Returns the answer if it is ready soon, otherwise the running state. */
  ask(question: string | JsonObject, asker: Asker): Promise<JsonObject>;
  /** Like `ask`, later; undefined if this user has asked no such question. */
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

/** A slower answer is reported as running. */
const AT_ONCE_MS = 3_000;
/** Older answers are dropped. */
const KEEP_MS = 10 * 60_000;
const MAX_JOBS = 500;

export function createSpaceJobs(
  answerer: SpaceAnswerer,
  { clock, ids: newIds }: { clock: Clock; ids: Ids },
): SpaceJobs {
  const jobs = new Map<string, Job>();
  const forget = (id: string) => {
    const job = jobs.get(id);
    job?.stop.abort();
    job?.cancelTimer();
    jobs.delete(id);
  };
  const begin = (question: string | JsonObject, { userId, conversationId }: Asker): Job => {
    const ids = { conversationId: conversationId ?? newIds.ulid(), messageId: newIds.ulid() };
    const stop = new AbortController();
    const asked =
      typeof question === 'string' ? answerer.answer(question, stop.signal) : answerer.run(question, stop.signal);
    const message = asked.then((outcome) => toMessage(outcome, ids));
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

/** The message, or undefined if it takes too long. If the caller leaves while waiting, the query is stopped. */
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

function toMessage(outcome: AnswerOutcome, ids: MessageIds): JsonObject {
  if ('answer' in outcome) return completedMessage(outcome.answer, ids);
  return failedMessage(outcome.failure, ids, outcome.isCancelled ? 'CANCELLED' : 'FAILED');
}
