import { describe, expect, it } from 'vitest';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Json } from '../../schema/json.ts';
import { storedResult } from './stored-result.ts';

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
