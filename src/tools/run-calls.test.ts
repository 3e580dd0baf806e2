import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../clock.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { runCalls } from './run-calls.ts';

const makeCall = (ms: number): ToolCall => ({ id: `${ms}`, name: 'wait', arguments: {}, state: 'pending' });
const complete = (call: ToolCall): ToolCall => ({ ...call, state: 'completed', result: null });

describe('runCalls', () => {
  it('returns results in call order, reports each as it ends, and runs no more than `parallel` at once', async () => {
    const clock = createFakeClock();
    const ended: string[] = [];
    let running = 0;
    let most = 0;
    const run = async (call: ToolCall) => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => clock.after(Number(call.id), resolve));
      running--;
      return complete(call);
    };
    const calls = [30, 10, 20, 5].map(makeCall);
    const done = runCalls(calls, { parallel: 2, run, onEnd: (call) => void ended.push(call.id) });
    await clock.advance(100);
    expect(await done).toEqual(calls.map(complete));
    expect([ended, most]).toEqual([['10', '30', '20', '5'], 2]);
  });

  it('starts nothing more and waits for running calls when recording fails', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const run = async (call: ToolCall) => {
      seen.push(`start ${call.id}`);
      await new Promise<void>((resolve) => clock.after(Number(call.id), resolve));
      if (call.id === '10') throw new Error('the record is broken');
      seen.push(`end ${call.id}`);
      return complete(call);
    };
    const done = runCalls([30, 10, 20, 5].map(makeCall), { parallel: 2, run });
    const outcome = expect(done).rejects.toThrow('the record is broken');
    await clock.advance(100);
    await outcome;
    expect(seen).toEqual(['start 30', 'start 10', 'end 30']);
  });

  it('returns nothing for no calls', async () => {
    expect(await runCalls([], { parallel: 8, run: async (call) => call })).toEqual([]);
  });
});
