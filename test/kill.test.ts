import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../src/agent/turn-state.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE, buildTool } from './build.ts';
import { pick } from './long.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'killed-turn.ts');

interface Killed {
  folder: string;
  conversationId: string;
  /** `type id` of each emitted event. */
  told: string[];
  effects: string[];
  lines: string[];
}

function runAndKill(stopAfter: number): Killed {
  const folder = temporaryFolder();
  const { stdout } = spawnSync(process.execPath, [FIXTURE, folder, String(stopAfter)], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  const conversationId = lines[0]?.replace('conversation ', '') ?? '';
  const effects = lines.filter((line) => line.startsWith('effect '));
  const told = lines.slice(1).filter((line) => !/^(effect|whole) /.test(line));
  return { folder, conversationId, told, effects, lines };
}

/** The number of events of the whole turn. */
const EVENTS = 16;
/** Before the first event, and after the first one of each kind: text, step, call, run, result, next text. */
const KINDS = [0, 1, 3, 4, 5, 7, 9, 12];

describe('a process that is killed between any two events', () => {
  // The last two events, the end of the reply and the end of the turn, are one write.
  const positions = pick(KINDS, [...Array(EVENTS - 1).keys()]);

  it(`has ${EVENTS} events`, () => {
    expect(runAndKill(10_000).lines.at(-1)).toBe(`whole ${EVENTS}`);
  });

  it.each(positions)(
    'leaves a whole store, and a retry repeats no finished step (after event %i)',
    async (position) => {
      const killed = runAndKill(position);
      const store = createSqliteStore({ folder: killed.folder });
      const turn = await store.readNewestTurn(ALICE, killed.conversationId);
      const events = await store.readEvents(ALICE, turn?.id ?? '');
      const stored = new Set(events.map((event) => `${event.type} ${event.id}`));
      const lost = killed.told.filter((line) => !/^(text-delta|step-start) /.test(line) && !stored.has(line));
      expect(lost, 'told and not stored').toEqual([]);

      const state = foldEvents(events);
      expect(turn?.status).toBe('interrupted');
      expect(state.calls.filter((call) => call.state === 'running')).toEqual([]);
      const unfinished = state.calls.filter((call) => call.state === 'unknown').map((call) => call.name);
      const wasRunning = killed.effects.map((line) => line.replace('effect ', ''));
      const completed = state.calls.filter((call) => call.state === 'completed').map((call) => call.name);
      for (const name of wasRunning) expect([...unfinished, ...completed]).toContain(name);
      await store.close();

      await retryGoesOn(killed, completed.length === 0 && state.calls.length === 0);
    },
  );

  it('has the whole answer once the end of the reply is emitted', async () => {
    const killed = runAndKill(EVENTS - 1);
    const { runtime, model } = await openRuntime({ replies: [], folder: killed.folder });
    const request = { agent: 'helper', message: 'hello', idempotencyKey: 'once' };
    const events = await collect(await runtime.chat(ALICE, request));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', result: { content: 'All is well.' } });
    expect(model.requests).toEqual([]);
  });

  /** The same key continues the turn: finished and unknown calls do not run again, pending ones run once. */
  async function retryGoesOn(killed: Killed, isFresh: boolean): Promise<void> {
    const ran: string[] = [];
    const tools = ['first', 'second'].map((name) => buildTool({ name, run: () => ran.push(name) }));
    const calls = isFresh ? [{ calls: [{ name: 'first' }, { name: 'second' }] }] : [];
    const { runtime } = await openRuntime({ replies: [...calls, 'Well again.'], tools, folder: killed.folder });
    const request = { agent: 'helper', message: 'hello', idempotencyKey: 'once' };
    const events = await collect(await runtime.chat(ALICE, request));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', result: { status: 'completed', content: 'Well again.' } });
    const effects = killed.effects.map((line) => line.replace('effect ', ''));
    expect([...effects, ...ran].sort()).toEqual(['first', 'second']);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  }
});
