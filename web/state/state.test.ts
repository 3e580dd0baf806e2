import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../src/clock.ts';
import type { DueAnswer, ShownTask, StoredTurn } from '../api/shapes.ts';
import { createConversation, putTurn } from './conversation.ts';
import { createDrawQueue } from './draw-queue.ts';
import { mergeTurns } from './merge-turns.ts';
import { readHandedToken, readPlace, writePlace } from './place.ts';
import { createReminders } from './reminders.ts';
import { shownAnswer } from './shown-answer.ts';
import { createStore } from './store.ts';
import { createTurn } from './turn.ts';

function stored(id: string, parts: Partial<StoredTurn> = {}): StoredTurn {
  return {
    id,
    status: 'completed',
    active: true,
    attempt: 1,
    created_at: '2026-11-16T10:00:00.000Z',
    user_message: { id: `q-${id}`, client_id: `c-${id}`, content: `question ${id}` },
    result: { status: 'completed', content: `answer ${id}`, tool_calls: [], messages: [] },
    ...parts,
  };
}

describe('mergeTurns', () => {
  it('puts stored turns, newest first, in front of the streamed ones', () => {
    const live = { ...createTurn('t3', 'running'), place: [1, 2, 0] };
    const merged = mergeTurns(putTurn(createConversation('a', 'c'), live), { turns: [stored('t2'), stored('t1')] });
    expect(merged.order).toEqual(['t1', 't2', 't3']);
    expect(merged).toMatchObject({ state: 'ready', turns: { t1: { question: { id: 'c-t1', text: 'question t1' } } } });
    expect(merged.turns.t1?.parts).toEqual([{ kind: 'text', id: 't1.text', text: 'answer t1' }]);
  });

  it('leaves an unsent message in front of the turn that came after it', () => {
    const unsent = putTurn(createConversation('a', 'c'), createTurn('pending:m', 'unsent'));
    const shown = putTurn(unsent, { ...createTurn('t2', 'running'), place: [1, 2, 0] });
    const merged = mergeTurns(shown, { turns: [stored('t2'), stored('t1')] });
    expect(merged.order).toEqual(['t1', 'pending:m', 't2']);
  });

  it('keeps the text of a running turn, which is ahead of the store, and adds its question', () => {
    const text = { kind: 'text' as const, id: 'x', text: 'so far' };
    const live = { ...createTurn('t1', 'running'), place: [1, 2, 0], parts: [text] };
    const { result: _result, ...running } = stored('t1', { status: 'running' });
    const merged = mergeTurns(putTurn(createConversation('a', 'c'), live), { turns: [running] });
    expect(merged.turns.t1).toMatchObject({ status: 'running', parts: [text], question: { text: 'question t1' } });
  });

  it('adds times and domains of calls to an ended turn', () => {
    const call = { id: 'k', name: 'sales', arguments: '{}', state: 'completed' as const };
    const live = { ...createTurn('t1', 'completed'), place: [1, 9, 0], calls: { k: call } };
    const tool_calls = [{ ...call, arguments: {}, domain: 'shop', duration_ms: 7, result: 1 }];
    const result = { status: 'completed' as const, content: 'a', messages: [], tool_calls };
    const merged = mergeTurns(putTurn(createConversation('a', 'c'), live), { turns: [stored('t1', { result })] });
    expect(merged.turns.t1?.calls.k).toMatchObject({ domain: 'shop', durationMs: 7 });
  });

  it('shows turns that were copied from another conversation, and remembers where older turns begin', () => {
    const page = { turns: [stored('t1'), stored('t0', { attempt: 0 })], next_before: 't0' };
    expect(mergeTurns(createConversation('a', 'c'), page)).toMatchObject({ order: ['t0', 't1'], before: 't0' });
  });
});

describe('the address of the page', () => {
  it('holds agent, conversation, panel and its subject', () => {
    const place = { agent: 'retail-analyst', conversation: '01K9', side: 'row', at: '01M7.60' } as const;
    expect(readPlace(writePlace(place).slice(1))).toEqual(place);
    expect(writePlace({})).toBe('/');
  });

  it('ignores panels that do not exist, subjects without a panel, and hostile text', () => {
    expect(readPlace('?side=admin&at=1&c=<img src=x>&agent=a')).toEqual({ agent: 'a' });
  });

  it('may hand over a token after the hash', () => {
    expect(readHandedToken('#token=abc.def')).toBe('abc.def');
    expect(readHandedToken('')).toBeUndefined();
  });
});

describe('store', () => {
  it('notifies its readers once for all changes of a frame, and not when nothing changed', () => {
    const frames: (() => void)[] = [];
    const store = createStore({ count: 0 }, (notify) => frames.push(notify));
    let notified = 0;
    const stop = store.subscribe(() => notified++);
    store.update((value) => value);
    expect(frames).toHaveLength(0);
    for (let step = 0; step < 100; step++) store.update(({ count }) => ({ count: count + 1 }));
    expect(frames).toHaveLength(1);
    expect(store.get()).toEqual({ count: 100 });
    frames[0]?.();
    expect(notified).toBe(1);
    stop();
    store.update(({ count }) => ({ count }));
    frames[1]?.();
    expect(notified).toBe(1);
  });
});

describe('draw queue', () => {
  it('runs one step per frame, in order, without those that were taken out', () => {
    const frames: (() => void)[] = [];
    const ran: string[] = [];
    const queue = createDrawQueue((run) => frames.push(run));
    queue.add(() => ran.push('a'));
    const cancel = queue.add(() => ran.push('b'));
    queue.add(() => ran.push('c'));
    cancel();
    expect(frames.length).toBe(1);
    frames.shift()?.();
    expect([ran, frames.length]).toEqual([['a'], 1]);
    frames.shift()?.();
    expect([ran, frames.length]).toEqual([['a', 'c'], 0]);
  });
});

const TEXT = 'Cedar leads.\n\n**Suggested next steps**\n\n- Who leaves carts?\n- What is the stock?\n';

describe('shownAnswer', () => {
  it('leaves out the questions that are shown as buttons', () => {
    expect(shownAnswer(TEXT, ['Who leaves carts?', 'What is the stock?'], false)).toBe('Cedar leads.');
  });

  it('keeps a list that is not the same as the buttons', () => {
    expect(shownAnswer(TEXT, ['Who leaves carts?'], false)).toBe(TEXT);
  });

  it('does not show the list while it arrives', () => {
    for (let length = 'Cedar leads.\n\n**Sugg'.length; length <= TEXT.length; length++) {
      expect(shownAnswer(TEXT.slice(0, length), [], true)).toBe('Cedar leads.');
    }
  });

  it('keeps other bold text while it arrives', () => {
    expect(shownAnswer('a\n\n**Summary** b', [], true)).toBe('a\n\n**Summary** b');
  });
});

describe('reminders', () => {
  const at = '2026-11-16T09:00:00.000Z';
  const TASK: ShownTask = {
    id: '00000000-0000-4000-8000-0000000000f1',
    title: 'call the dentist',
    due_date: '2026-11-16T09:00:30.000Z',
    is_completed: false,
    created_at: at,
    updated_at: at,
  };

  it('asks again when the next task is due, with the end of the last answer, and shows what comes', async () => {
    const clock = createFakeClock(at);
    const asked: (string | undefined)[] = [];
    const shown: unknown[] = [];
    const answers: DueAnswer[] = [
      { tasks: [{ ...TASK, title: 'before' }], until: at, next: '2026-11-16T09:00:30.000Z' },
      { tasks: [TASK], until: '2026-11-16T09:00:30.000Z' },
    ];
    const reminders = createReminders({
      async take(after) {
        asked.push(after);
        const answer = answers.shift();
        if (!answer) throw new Error('not reached');
        return answer;
      },
      show: (notices) => shown.push(...notices.map(({ task, isLate }) => [task.title, isLate])),
      now: () => clock.date().getTime(),
      wait: clock.after,
    });
    reminders.check();
    await clock.advance(30_000);
    expect([asked, shown]).toEqual([
      [undefined, at],
      [
        ['before', true],
        ['call the dentist', false],
      ],
    ]);
    await clock.advance(60_000);
    expect(asked).toEqual([undefined, at, '2026-11-16T09:00:30.000Z']);
    reminders.close();
    expect(clock.waiting).toBe(0);
  });
});
