import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import { type Event, isDelta } from '../../src/schema/conversation/event.ts';
import { parsePosition } from '../../src/schema/position.ts';
import { createNotifyBus, type NotifyBus } from '../../src/store/postgres/notify-bus.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Note } from '../../src/store/shared.ts';
import { ALICE, buildAgent, buildTool } from '../build.ts';
import { pick } from '../long.ts';
import { databaseOfFile } from '../postgres/database.ts';

/** Faults of the next notes; a value is taken from the front for each note. */
let faults: readonly Fault[] = [];
type Fault = 'pass' | 'drop' | 'double' | 'late';
let place = 0;

/** A bus that loses, doubles and delays notes. */
async function openFaultyBus(options: Parameters<typeof createNotifyBus>[0]): Promise<NotifyBus> {
  const bus = await createNotifyBus(options);
  return {
    address: bus.address,
    get isLive() {
      return bus.isLive;
    },
    publish(note, to) {
      const fault = faults.length === 0 ? 'pass' : faults[place++ % faults.length];
      const send = () => bus.publish(note, to);
      if (fault === 'late') setTimeout(send, 40 + ((place * 37) % 200));
      else if (fault !== 'drop') send();
      if (fault === 'double') send();
    },
    subscribe: (callback: (note: Note) => void) => bus.subscribe(callback),
    close: bus.close,
  };
}

const database = databaseOfFile();
const runtimes: Runtime[] = [];
const TEXT = Array.from({ length: 60 }, (_, index) => `piece ${index} `);

beforeAll(async () => {
  const { mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  for (let index = 0; index < 2; index++) {
    const store = await createPostgresStore({ url: database.url, openBus: openFaultyBus });
    const tools = [buildTool()];
    const source = { name: 'test', tools: async () => tools, close: async () => {} };
    const model = createScriptedModel((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { text: TEXT, delayMs: 6 }
        : { text: 'Let me see. ', calls: [{ name: 'echo', arguments: { text: 'x'.repeat(9_000) } }] },
    );
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-follower-'));
    const sources = [{ ...source, status: () => ({ state: 'ready' as const, tools: [] }) }];
    runtimes.push(await createRuntime({ agents: [buildAgent()], folder, store, model, sources }));
  }
});
afterAll(() => Promise.all(runtimes.map((runtime) => runtime.stop())));

/** The stored form of events: adjacent deltas joined, transient ones left out. */
function joined(events: readonly Event[]): unknown[] {
  const result: { id: string; text?: string; body: unknown }[] = [];
  for (const event of events) {
    if (event.id.includes('+')) continue;
    const last = result.at(-1);
    if (isDelta(event) && last?.text !== undefined) {
      last.text += event.text;
      last.id = event.id;
      continue;
    }
    const { id, ...body } = event;
    result.push(isDelta(event) ? { id, text: event.text, body: event.type } : { id, body });
  }
  return result;
}

it('shows a follower on another server the same as the runner, whatever happens to the notes', async () => {
  const faultArbitrary = fc.array(fc.constantFrom<Fault>('pass', 'pass', 'pass', 'drop', 'double', 'late'), {
    minLength: 1,
    maxLength: 20,
  });
  const [a, b] = runtimes;
  if (!a || !b) throw new Error('no servers');
  await fc.assert(
    fc.asyncProperty(faultArbitrary, fc.nat({ max: 70 }), async (given, cut) => {
      faults = given;
      const turn = await a.chat(ALICE, { agent: 'helper', message: 'hello', keepsGoing: true });
      const { conversationId } = turn;
      const seen: Event[] = [];
      let followed: Promise<Event[]> | undefined;
      const follow = async (after: Event | undefined): Promise<Event[]> => {
        const signal = new AbortController().signal;
        const position = after && { after: parsePosition(after.id) };
        const turns = b.follow(ALICE, { conversationId, signal, ...position });
        const first = await turns.next();
        if (first.done) throw new Error('nothing to follow');
        const events: Event[] = [];
        for await (const event of first.value.events) events.push(event);
        await turns.return();
        return events;
      };
      for await (const event of turn.events) {
        seen.push(event);
        if (seen.length === cut + 1) followed = follow(event);
      }
      const rest = await (followed ?? follow(seen[0]));
      const cutAt = followed ? cut : 0;
      const whole = [...seen.slice(0, cutAt + 1), ...rest];
      faults = [];
      expect(joined(whole)).toEqual(joined(seen));
    }),
    { numRuns: pick(8, 40), interruptAfterTimeLimit: 45_000, markInterruptAsFailure: false },
  );
}, 120_000);
