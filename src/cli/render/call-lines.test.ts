import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import { widthOf } from '../terminal/display-width.ts';
import { type CallLine, callRows } from './call-lines.ts';

const colors = pc.createColors(false);
const line = (call: Partial<ToolCall>, parts: Partial<CallLine> = {}): CallLine => ({
  call: { id: 'c', name: 'add_task', arguments: {}, state: 'completed', ...call },
  ...parts,
});
const rows = (lines: CallLine[], width = 100) => callRows(lines, { colors, width, now: 1500, spinner: '⠋' });
const sent = (args: JsonObject) => ({ arguments: args, duration_ms: 4, result: null });

describe('callRows', () => {
  it('shows short arguments without ids, dates in words, and the time', () => {
    const args = { task_id: 'x', title: 'buy milk', due_date: '2026-11-16' };
    expect(rows([line(sent(args))])).toEqual(['  ▸ add_task  title "buy milk", due Mon 16 Nov          ✓ 4 ms']);
  });

  it('names what came back where the arguments tell nothing, and counts rows', () => {
    expect(rows([line({ result: { title: 'call mom' }, duration_ms: 3 })])[0]).toContain('▸ add_task  call mom');
    expect(rows([line({ result: { rows: [1, 2] }, duration_ms: 210 })])[0]).toMatch(/✓ 0\.2 s {2}2 rows$/);
  });

  it('puts short calls side by side in their order', () => {
    const calls = ['sales', 'stock'].map((name) => line({ name, result: { rows: [1] }, duration_ms: 5 }));
    expect(rows(calls)).toEqual(['  ▸ sales  ✓ 5 ms  1 row     ▸ stock  ✓ 5 ms  1 row']);
    expect(rows(calls, 40).length).toBe(2);
  });

  it('distinguishes every state', () => {
    const error = { error_type: 'Timeout' as const, message: 'too\nslow' };
    const states = [
      line({ state: 'pending' }),
      line({ state: 'waiting' }),
      line({ state: 'running' }, { startedAt: 1000, progress: 'half' }),
      line({ state: 'timeout', error, duration_ms: 50 }),
      line({ state: 'unknown', error }),
    ];
    expect(states.map((state) => rows([state])[0]?.slice(56))).toEqual([
      '·',
      '? waiting for you',
      '⠋ 0.5 s  half',
      '✗ 50 ms  too slow',
      '?  too slow',
    ]);
  });

  it('never makes a row wider than the window, and lets no escape through', () => {
    const text = fc.string({ maxLength: 80 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 30, max: 120 }), (name, value, message, width) => {
        const call = { name: `\u001b[31m${name}`, arguments: { [name]: `${value}\u202e` }, state: 'failed' as const };
        const shown = rows([line({ ...call, error: { error_type: 'Timeout', message: `${message}\u0007` } })], width);
        for (const row of shown) {
          expect(widthOf(row)).toBeLessThanOrEqual(width);
          expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        }
      }),
    );
  });
});
