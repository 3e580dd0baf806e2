import { describe, expect, it } from 'vitest';
import type { Trace } from '../../src/schema/conversation/trace.ts';
import { passagePath, splitPassage } from './documents/passage-path.ts';
import { readSpans } from './trace-spans.ts';
import { describeWays } from './ways.tsx';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 5, 9) + ms).toISOString();
const trace: Trace = {
  turn_id: '01K9',
  status: 'completed',
  started_at: at(0),
  ended_at: at(1_000),
  attempts: 1,
  steps: [
    { iteration: 1, started_at: at(0), ended_at: at(200) },
    { iteration: 2, started_at: at(700) },
  ],
  calls: [{ call_id: 'a', name: 'find', step: 1, state: 'failed', started_at: at(210), duration_ms: 300 }],
  files: [],
  waits: [{ reason: 'waiting', started_at: at(520), ended_at: at(690) }],
  total_ms: 1_000,
  active_ms: 830,
};

describe('readSpans', () => {
  it('places steps, calls and waits by their times, first ones first', () => {
    const spans = readSpans(trace).map(({ id, startMs, durationMs, isFailed }) => [id, startMs, durationMs, isFailed]);
    expect(spans).toEqual([
      ['step.01K9.0', 0, 200, false],
      ['call.a', 210, 300, true],
      ['wait.01K9.0', 520, 170, false],
      ['step.01K9.1', 700, undefined, true],
    ]);
  });

  it('places the work of members below their calls, on the same line of time', () => {
    const { members: _none, ...turn } = trace;
    const empty = { ...turn, steps: [], waits: [], calls: [] };
    const call = (call_id: string) => ({ call_id, name: 'delegate', step: 1, state: 'completed' as const });
    const calls = [{ ...call('a'), started_at: at(210), duration_ms: 300 }];
    const members = [
      { ...empty, call_id: 'a', agent: 'desk', turn_id: 'M1', started_at: at(220), calls: [call('b')] },
      {
        ...empty,
        call_id: 'b',
        agent: 'till',
        turn_id: 'M2',
        started_at: at(230),
        steps: [{ iteration: 1, started_at: at(240) }],
      },
    ];
    const spans = readSpans({ ...trace, waits: [], steps: [], calls, members });
    expect(spans.map(({ id, label, depth, startMs }) => [id, label, depth, startMs])).toEqual([
      ['call.a', 'desk', 0, 220],
      ['call.b', 'till', 1, 230],
      ['step.M2.0', expect.any(String), 2, 240],
    ]);
  });
});

const base = { origin: 'http://127.0.0.1:8000', agent: 'todo assistant' };
const texts = (ways: ReturnType<typeof describeWays>) => ways.map(({ text }) => text).join('\n');

describe('describeWays', () => {
  it('names the conversation in every way', () => {
    const ways = describeWays({ ...base, needsToken: false, conversation: '01K9ABCDEFGHJKMNPQRSTVWXYZ' });
    expect(ways.map(({ text }) => text.includes('01K9ABCDEFGHJKMNPQRSTVWXYZ'))).toEqual([true, true, true, true]);
  });

  it('escapes the agent in addresses', () => {
    expect(texts(describeWays({ ...base, needsToken: false }))).toContain('/agent/todo%20assistant/chat');
  });

  it('names a variable for the token, and no terminal: it has another account', () => {
    const ways = describeWays({ ...base, needsToken: true });
    expect([texts(ways).includes('Bearer $TOKEN'), texts(ways).includes('holodeck chat')]).toEqual([true, false]);
  });
});

describe('passage path', () => {
  const CITATION = {
    id: 'p1',
    knowledge: 'handbook',
    document: 'docs/a b.md',
    title: 'A',
    breadcrumb: [],
    version: 'v1',
    start: 700,
    end: 800,
    quote: 'five days',
  };

  it('asks for a cited passage with text around it, its version and its quote', () => {
    expect(passagePath('/agent/x/knowledge', CITATION)).toBe(
      '/agent/x/knowledge/docs%2Fa%20b.md?knowledge=handbook&start=100&end=1400&version=v1&quote=five+days',
    );
  });

  it('asks for a document from its beginning', () => {
    expect(passagePath('/agent/x/knowledge', { knowledge: 'k', document: 'a', start: 0 })).toBe(
      '/agent/x/knowledge/a?knowledge=k&start=0',
    );
  });

  it('splits a text at the cited place', () => {
    expect(splitPassage('before cited after', 100, { start: 107, end: 112 })).toEqual(['before ', 'cited', ' after']);
    expect(splitPassage('cited after', 107, { start: 100, end: 112 })).toEqual(['', 'cited', ' after']);
    expect(splitPassage('whole', 0, { start: 0 })).toEqual(['whole', '', '']);
  });
});
