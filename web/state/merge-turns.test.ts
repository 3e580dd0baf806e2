import { describe, expect, it } from 'vitest';
import type { StoredTurn } from '../api/shapes.ts';
import { createConversation, putTurn } from './conversation.ts';
import { mergeTurns } from './merge-turns.ts';
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
