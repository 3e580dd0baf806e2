import { describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import { systemIds } from '../ids.ts';
import type { AnswerOutcome } from './space-answer.ts';
import { createSpaceJobs } from './space-jobs.ts';

const DONE: AnswerOutcome = {
  answer: {
    text: 'Five.',
    sql: 'SELECT 5',
    description: 'How many?',
    rows: { columns: ['n'], rows: [[5]], isCut: false },
    formats: {},
    confidence: 'high',
    reasons: [],
  },
};
const signal = new AbortController().signal;

function open() {
  const clock = createFakeClock();
  const answer = Promise.withResolvers<AnswerOutcome>();
  let stopped = false;
  const jobs = createSpaceJobs(
    {
      answer: (_question, stop) => {
        stop.addEventListener('abort', () => (stopped = true));
        return answer.promise;
      },
      run: () => answer.promise,
    },
    { clock, ids: systemIds },
  );
  const idsOf = (message: Record<string, unknown>) => ({
    conversationId: String(message.conversationId),
    messageId: String(message.messageId),
  });
  return { clock, jobs, answer, idsOf, isStopped: () => stopped };
}

describe('createSpaceJobs', () => {
  it('returns an answer at once if it is ready', async () => {
    const { jobs, answer } = open();
    answer.resolve(DONE);
    expect(await jobs.ask('q', { userId: ALICE.id, signal, conversationId: 'c1' })).toMatchObject({
      status: 'COMPLETED',
      conversationId: 'c1',
    });
  });

  it('reports a slow question as running, and returns the answer later, once', async () => {
    const { clock, jobs, answer, idsOf } = open();
    const asked = jobs.ask('q', { userId: ALICE.id, signal });
    await clock.advance(3_000);
    const running = await asked;
    expect(running.status).toBe('EXECUTING_QUERY');
    answer.resolve(DONE);
    const asker = { userId: ALICE.id, signal };
    expect(await jobs.poll(idsOf(running), asker)).toMatchObject({ status: 'COMPLETED', ...idsOf(running) });
    expect(await jobs.poll(idsOf(running), asker)).toBeUndefined();
    expect(clock.waiting).toBe(0);
  });

  it("treats another user's question as unknown", async () => {
    const { clock, jobs, idsOf } = open();
    const asked = jobs.ask('q', { userId: ALICE.id, signal });
    await clock.advance(3_000);
    expect(await jobs.poll(idsOf(await asked), { userId: BOB.id, signal })).toBeUndefined();
  });

  it('stops queries whose caller left or stopped polling', async () => {
    const leaving = open();
    const stop = new AbortController();
    const left = leaving.jobs.ask('q', { userId: ALICE.id, signal: stop.signal });
    stop.abort();
    leaving.answer.resolve({ failure: 'The query was cancelled.', isCancelled: true });
    expect(await left).toMatchObject({ status: 'CANCELLED' });
    expect(leaving.isStopped()).toBe(true);
    const forgotten = open();
    void forgotten.jobs.ask('q', { userId: ALICE.id, signal });
    await forgotten.clock.advance(11 * 60_000);
    expect(forgotten.isStopped()).toBe(true);
  });
});
