import { describe, expect, it } from 'vitest';
import { ALICE } from '../../../test/build.ts';
import { createFakeClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Json } from '../../schema/json.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import type { Store, TurnWrite } from '../../store/store.ts';
import { createStoreJournal, storedResult } from './journal.ts';

/** A journal over an in-memory store that writes when `isLet` resolves and fails the given number of times. */
function open(failures = 0, isLet: Promise<void> = Promise.resolve()) {
  const clock = createFakeClock();
  const writes: TurnWrite[] = [];
  let left = failures;
  const store: Pick<Store, 'writeTurn' | 'segmentMs'> = {
    segmentMs: 250,
    async writeTurn(_user, _lease, write) {
      await isLet;
      if (left-- > 0) throw new AppError('store_unavailable', { detail: 'full' });
      writes.push(write);
    },
  };
  const lease = { turnId: newUlid(), conversationId: newUlid(), attempt: 1, version: 1, runner: newUlid() };
  const journal = createStoreJournal({
    store: store as Store, // a journal writes turns and nothing else
    user: ALICE,
    lease,
    clock,
    toolOutputChars: 100,
    alreadyWritten: 1,
  });
  const say = (text: string) => journal.note({ type: 'text-delta', message_id: lease.turnId, text });
  const stored = () =>
    writes.flatMap((write) => write.events).map((event) => ('text' in event ? event.text : event.type));
  return { clock, journal, say, stored, lease };
}

describe('createStoreJournal', () => {
  it('writes text in segments, at most 250 ms after it was emitted', async () => {
    const { clock, say, stored } = open();
    say('Hel');
    say('lo');
    expect(stored()).toEqual([]);
    await clock.advance(250);
    expect(stored()).toEqual(['Hello']);
  });

  it('writes earlier events with the next commit', async () => {
    const { journal, say, stored } = open();
    say('Hello');
    await journal.commit({ type: 'turn-interrupt' });
    expect(stored()).toEqual(['Hello', 'turn-interrupt']);
  });

  it('places transient events after emitted ones, never after a write in progress', async () => {
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
    const { clock, journal, lease } = open(0, isLet);
    const committed = journal.commit({ type: 'turn-interrupt' });
    await clock.advance(1);
    const during = journal.note({ type: 'notice', text: 'half' });
    letGo();
    const [written] = await committed;
    const after = journal.note({ type: 'notice', text: 'done' });
    const places = [during, written, after].map((event) => event?.id.replace(lease.turnId, ''));
    expect(places).toEqual(['.1.1.0+1', '.1.2.0', '.1.2.0+2']);
  });

  it('writes a segment that the store rejected together with the next write', async () => {
    const { clock, journal, say, stored } = open(1);
    say('Hello');
    await clock.advance(250);
    say(' world');
    await journal.commit({ type: 'turn-interrupt' });
    expect(stored()).toEqual(['Hello world', 'turn-interrupt']);
  });

  it('fails a commit that the store rejects', async () => {
    const { journal } = open(1);
    await expect(journal.commit({ type: 'turn-interrupt' })).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('gives every event an id of its own', async () => {
    const { journal, say } = open();
    const events = [
      say('a'),
      journal.note({ type: 'notice', text: 'x' }),
      journal.note({ type: 'notice', text: 'y' }),
      say('b'),
      ...(await journal.commit({ type: 'turn-interrupt' })),
    ];
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });
});

function resultWith(result: Json): TurnResult {
  const message = { id: 'm', role: 'assistant' as const, content: 'Done', timestamp: '', metadata: {} };
  return {
    status: 'completed',
    finish_reason: 'completed',
    content: 'Done',
    iterations: 1,
    tool_calls: [{ id: 'call 1', name: 'ask', arguments: {}, state: 'completed', result }],
    sources: ['Sales'],
    suggestions: [],
    partial_results: false,
    messages: [message],
    execution_time_ms: 5,
  };
}

function kept(result: Json): Json | undefined {
  return storedResult(resultWith(result), 100).tool_calls[0]?.result;
}

describe('storedResult', () => {
  it('leaves the messages out and keeps the rest', () => {
    const { messages: _, ...rest } = resultWith('ok');
    expect(storedResult(resultWith('ok'), 100)).toEqual(rest);
  });

  it('keeps the first rows of a table that fit, and the number of those that do not', () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({ product: `Boots ${index}` }));
    expect(kept({ answer: 'Many.', rows })).toEqual({ answer: 'Many.', rows: rows.slice(0, 2), rows_left_out: 18 });
    expect(JSON.stringify(kept({ answer: 'Many.', rows })).length).toBeLessThanOrEqual(100);
  });

  it('cuts any other result as text', () => {
    expect(kept('x'.repeat(200))).toMatch(/^x+\n\[\d+ of 200 characters left out\]$/);
    expect(kept({ answer: 'x'.repeat(200), rows: [1] })).toMatch(/^\{"answer":"x+\n\[/);
    expect(kept(['x'.repeat(200)])).toMatch(/^\["x+\n\[/);
  });
});
