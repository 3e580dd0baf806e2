import { type BaseEvent, EventType } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { applyEvent, isLater, parseEventId, pendingTurnId } from './apply-event.ts';
import { type Conversation, createConversation, putTurn, shownTurns } from './conversation.ts';
import { createTurn, type Turn } from './turn.ts';

type Frame = [id: string, type: keyof typeof EventType, fields?: Record<string, unknown>];

const USER = { id: 'm1', role: 'user', content: 'hello' };
const START: Frame = ['t1.1.0.0.1', 'RUN_STARTED', { threadId: 'c', runId: 'r', input: { messages: [USER] } }];
const ANSWER: Frame[] = [
  START,
  ['t1.1.1.0', 'STATE_SNAPSHOT', { snapshot: {} }],
  ['t1.1.2.0.1', 'TOOL_CALL_START', { toolCallId: 'a', toolCallName: 'sales' }],
  ['t1.1.2.0.2', 'TOOL_CALL_ARGS', { toolCallId: 'a', delta: '{"q":1}' }],
  ['t1.1.3.0', 'TOOL_CALL_END', { toolCallId: 'a' }],
  ['t1.1.3.0.1', 'TOOL_CALL_START', { toolCallId: 'b', toolCallName: 'stock' }],
  ['t1.1.4.0', 'TOOL_CALL_RESULT', { toolCallId: 'a', content: '{"rows":[]}' }],
  ['t1.1.4.0.1', 'CUSTOM', { name: 'tool_time', value: { call_id: 'a', duration_ms: 12, state: 'completed' } }],
  [
    't1.1.5.0',
    'TOOL_CALL_RESULT',
    { toolCallId: 'b', content: '{"error":{"error_type":"Timeout","message":"too slow"}}' },
  ],
  ['t1.1.6.0.1', 'TEXT_MESSAGE_START', { messageId: 'x' }],
  ['t1.1.6.3', 'TEXT_MESSAGE_CONTENT', { messageId: 'x', delta: 'abc' }],
  ['t1.1.6.6', 'TEXT_MESSAGE_CONTENT', { messageId: 'x', delta: 'def' }],
  ['t1.1.7.6', 'RUN_FINISHED', { result: { confidence: 'high', status: 'completed' }, outcome: { type: 'success' } }],
];

function apply(frames: readonly Frame[], from: Conversation = createConversation('a', 'c')): Conversation {
  return frames.reduce((conversation, [id, type, fields]) => {
    // Only the fields that the page reads are in the frames of these tests.
    const event = { type: EventType[type], ...fields, rawEvent: { id } } as BaseEvent;
    return applyEvent(conversation, event);
  }, from);
}

function only(conversation: Conversation): Turn {
  const [turn, ...others] = shownTurns(conversation);
  if (!turn || others.length > 0) throw new Error(`${others.length + 1} turns`);
  return turn;
}

describe('applyEvent', () => {
  it('builds a turn from its frames', () => {
    const turn = only(apply(ANSWER));
    expect(turn.question).toEqual({ id: 'm1', text: 'hello', files: [] });
    expect(turn.parts).toEqual([
      { kind: 'calls', id: 'a', calls: ['a', 'b'] },
      { kind: 'text', id: 'x', text: 'abcdef' },
    ]);
    expect(turn.calls.a).toMatchObject({ state: 'completed', durationMs: 12, arguments: '{"q":1}' });
    expect(turn.calls.b).toMatchObject({ state: 'failed', error: 'too slow' });
    expect(turn).toMatchObject({ status: 'completed', facts: { confidence: 'high' } });
  });

  it('changes nothing by frames that it has already, wherever the stream begins again', () => {
    const whole = apply(ANSWER);
    for (let start = 0; start < ANSWER.length; start++) {
      const before = apply(ANSWER.slice(0, start + 1));
      expect(apply(ANSWER.slice(0, start + 1), before)).toBe(before);
      expect(only(apply(ANSWER, before)).parts).toEqual(only(whole).parts);
    }
  });

  it('changes nothing in an ended turn that the store had before its stream began', () => {
    const parts = [{ kind: 'text' as const, id: 'x', text: 'abcdef' }];
    const stored = putTurn(createConversation('a', 'c'), { ...createTurn('t1', 'completed'), parts });
    expect(apply(ANSWER, stored)).toBe(stored);
  });

  it('shows the text once of a running turn that the store had before its stream began', () => {
    const question = { id: 'm1', text: 'hello', files: [] };
    const parts = [{ kind: 'text' as const, id: 't1.text', text: 'abc' }];
    const stored = putTurn(createConversation('a', 'c'), { ...createTurn('t1', 'running'), parts, question });
    expect(only(apply(ANSWER, stored))).toMatchObject({ question, parts: only(apply(ANSWER)).parts });
  });

  it('leaves the other turns as they are, so that they are not drawn again', () => {
    const first = apply(ANSWER);
    const next = apply([['t2.1.0.0.1', 'RUN_STARTED', { input: { messages: [{ ...USER, id: 'm2' }] } }]], first);
    expect(next.turns.t1).toBe(first.turns.t1);
    expect(next.order).toEqual(['t1', 't2']);
  });

  it('takes the place of the question that was drawn when it was sent', () => {
    const question = { id: 'm1', text: 'hello', files: [{ filename: 'a.csv', mime_type: 'text/csv', size: 1 }] };
    const sent = putTurn(createConversation('a', 'c'), { ...createTurn(pendingTurnId('m1'), 'sending'), question });
    expect(only(apply([START], sent))).toMatchObject({ id: 't1', status: 'running', question });
  });

  it('hides the old answer and all that followed when a question is answered again', () => {
    const two = apply([['t2.1.0.0.1', 'RUN_STARTED', { input: { messages: [{ ...USER, id: 'm2' }] } }]], apply(ANSWER));
    const again = apply([['t3.1.0.0.1', 'RUN_STARTED', { input: { messages: [USER] } }]], two);
    expect(shownTurns(again).map((turn) => turn.id)).toEqual(['t3']);
    expect(again.order).toEqual(['t1', 't2', 't3']);
  });

  it('waits for decisions, and runs on after them', () => {
    const interrupts = [{ id: 'b', reason: 'tool_approval', toolCallId: 'b' }];
    const waiting = apply([
      ...ANSWER.slice(0, 6),
      ['t1.1.5.0', 'RUN_FINISHED', { outcome: { type: 'interrupt', interrupts } }],
    ]);
    expect(only(waiting)).toMatchObject({ status: 'waiting', waits: interrupts, calls: { b: { state: 'waiting' } } });
    const resumed = apply([['t1.2.0.0.1', 'RUN_STARTED', { runId: 'r2' }]], waiting);
    expect(only(resumed)).toMatchObject({ status: 'running', waits: [], calls: { b: { state: 'running' } } });
    expect(only(resumed).question?.text).toBe('hello');
  });

  it('keeps only the text that was stored before a crash, and marks the running call as unknown', () => {
    const crashed = apply([
      ...ANSWER.slice(0, 6),
      ...ANSWER.slice(9, 12),
      ['t1.1.6.4', 'MESSAGES_SNAPSHOT', { messages: [USER, { id: 'x', role: 'assistant', content: 'abcd' }] }],
      ['t1.1.6.4.999', 'RUN_ERROR', { message: 'interrupted', code: 'turn_interrupted' }],
    ]);
    expect(only(crashed)).toMatchObject({ status: 'interrupted', calls: { b: { state: 'unknown' } } });
    expect(only(crashed).parts.at(-1)).toEqual({ kind: 'text', id: 'x', text: 'abcd' });
  });

  it('ends as stopped or failed', () => {
    const stopped = apply([...ANSWER.slice(0, 11), ['t1.1.7.3', 'RUN_FINISHED', { outcome: { type: 'cancelled' } }]]);
    expect(only(stopped)).toMatchObject({ status: 'cancelled' });
    const failed = apply([START, ['t1.1.7.3', 'RUN_ERROR', { message: 'no answer', code: 'model_error' }]]);
    expect(only(failed)).toMatchObject({ status: 'error', failure: { code: 'model_error', message: 'no answer' } });
  });

  it('ignores frames without an id and events that it does not know', () => {
    const conversation = createConversation('a', 'c');
    expect(apply([['', 'RUN_STARTED']], conversation)).toBe(conversation);
    const turn = only(apply([START, ['t1.1.1.0', 'CUSTOM', { name: 'constructor', value: 1 }]]));
    expect(turn.status).toBe('running');
  });
});

describe('parseEventId', () => {
  it('reads the turn and the place', () => {
    expect(parseEventId('01M7.1.13.1440.1')).toEqual({ turnId: '01M7', place: [1, 13, 1440, 1] });
  });

  it('reads the place of a frame that passes, and of one after it', () => {
    expect(parseEventId('01M7.1.2.0+1')).toEqual({ turnId: '01M7', place: [1, 2, 0], isPassing: true });
    expect(parseEventId('01M7.1.2.0+1.1')).toEqual({ turnId: '01M7', place: [1, 2, 0, 1] });
  });

  it('refuses anything else', () => {
    expect(['', '01M7', '01M7.1.2', '01M7.1.x.3'].map(parseEventId)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('isLater', () => {
  it('orders by attempt, event, text offset and frame', () => {
    const places = [
      [1, 0, 0, 1],
      [1, 1, 0],
      [1, 1, 0, 1],
      [1, 13, 7],
      [1, 13, 1440],
      [1, 13, 1440, 999],
      [2, 14, 0],
    ];
    for (const [index, place] of places.entries()) {
      expect(places.map((other) => isLater(other, place))).toEqual(places.map((_, other) => other > index));
    }
  });

  it('takes the first frame of a turn', () => {
    expect(isLater([1, 0, 0, 1], undefined)).toBe(true);
  });
});
