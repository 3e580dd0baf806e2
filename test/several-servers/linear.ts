import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { AppError } from '../../src/errors.ts';
import type { ScriptedFunction } from '../../src/models/scripted.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { ALICE } from '../build.ts';
import { FIRST, findOrder, MODEL, type Step } from './linear-order.ts';

/** An operation of a client, at a server, after a pause. */
interface Order {
  kind: 'send' | 'cancel' | 'delete' | 'follow' | 'read';
  at: number;
  pauseMs: number;
}

/** The model's answers take a while, so that operations meet running turns. */
export const slowReplies: ScriptedFunction = () => ({ text: ['one ', 'two'], delayMs: Math.floor(Math.random() * 60) });

/** The user sends more here than any limit allows. */
export const LIMITS = { server: { rate_limit: { turns_per_minute: 1_000_000 }, max_active_turns: 1_000 } };

const orders = fc.array(
  fc.record({
    kind: fc.constantFrom<Order['kind']>('send', 'send', 'send', 'cancel', 'follow', 'read', 'delete'),
    at: fc.nat({ max: 1 }),
    pauseMs: fc.nat({ max: 40 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Runs random histories of three clients on two runtimes over one store; throws at the first that has no order. */
export async function checkHistories(
  runtimes: readonly Runtime[],
  { histories, seed }: { histories: number; seed?: number },
): Promise<void> {
  const clients = fc.array(orders, { minLength: 3, maxLength: 3 });
  const property = fc.asyncProperty(clients, async (given) => {
    const steps = await runHistory(runtimes, given);
    if (!findOrder(steps)) throw new Error(`no order explains:\n${steps.map(describe).join('\n')}`);
  });
  // A smaller history is another race, so nothing is gained by shrinking.
  await fc.assert(property, { numRuns: histories, endOnFailure: true, ...(seed !== undefined && { seed }) });
}

const describe = ({ name, from, until }: Step) => `${from}–${until} ${name}`;

async function runHistory(runtimes: readonly Runtime[], clients: readonly Order[][]): Promise<Step[]> {
  const [first] = runtimes;
  if (!first) throw new Error('no runtime');
  const { conversationId, turnId, events } = await first.chat(ALICE, { agent: 'helper', message: 'first' });
  await readEnd(events);
  const record = createRecord();
  record.numbers.set(turnId, FIRST);
  const ends: Promise<void>[] = [];
  const runAll = async (client: readonly Order[]) => {
    for (const { kind, at, pauseMs } of client) {
      await delay(pauseMs);
      const end = await OPERATIONS[kind]({
        record,
        runtime: runtimes[at] ?? first,
        conversationId,
        from: record.tick(),
      });
      if (end) ends.push(end.done);
    }
  };
  await Promise.all(clients.map(runAll));
  await Promise.all(ends);
  return record.steps;
}

function createRecord() {
  const steps: Step[] = [];
  let time = 0;
  let turns = FIRST;
  const tick = () => ++time;
  return {
    steps,
    /** The numbers of turns by their ids. */
    numbers: new Map<string, number>(),
    tick,
    nextTurn: () => ++turns,
    add(step: Omit<Step, 'until'>, until = tick()): Step {
      const added = { ...step, until };
      steps.push(added);
      return added;
    },
  };
}

interface Call {
  record: ReturnType<typeof createRecord>;
  runtime: Runtime;
  conversationId: string;
  from: number;
}

/** Each returns when its client may go on; `done` is the end of a turn that goes on beside it. */
const OPERATIONS: Record<Order['kind'], (call: Call) => Promise<{ done: Promise<void> } | undefined>> = {
  async send({ record, runtime, conversationId, from }) {
    const turn = record.nextTurn();
    const input = { agent: 'helper', message: `message ${turn}`, conversationId, keepsGoing: true };
    const sent = await runtime.chat(ALICE, input).catch(codeOf);
    if (typeof sent === 'string') {
      record.add({ name: `send ${turn}: ${sent}`, from, apply: REFUSED[sent] ?? MODEL.never });
      return undefined;
    }
    record.numbers.set(sent.turnId, turn);
    const after = record.add({ name: `begin ${turn}`, from, apply: MODEL.begin(turn) });
    const noteEnd = (status: string) =>
      void record.add({ name: `end ${turn}: ${status}`, from, after, apply: MODEL.end(turn, status) });
    return { done: readEnd(sent.events).then(noteEnd) };
  },
  async cancel({ record, runtime, conversationId, from }) {
    const isStopped = await runtime.cancel(ALICE, conversationId);
    const until = record.tick();
    const after = record.add({ name: `cancel: ${isStopped}`, from, apply: isStopped ? MODEL.stop : MODEL.idle }, until);
    if (isStopped) record.add({ name: 'cancel is done', from, after, apply: MODEL.stoppedEnded }, until);
    return undefined;
  },
  async delete({ record, runtime, conversationId, from }) {
    const isDeleted = await runtime.deleteConversation(ALICE, conversationId);
    const until = record.tick();
    // A turn of this server and one of the other are stopped first, also if another deletion is faster in the end.
    const own = record.add({ name: 'delete stops', from, apply: MODEL.stopIfRunning }, until);
    const after = record.add({ name: 'delete stops', from, after: own, apply: MODEL.stopIfRunning }, until);
    const apply = isDeleted ? MODEL.remove : MODEL.missing;
    record.add({ name: `delete: ${isDeleted}`, from, after, apply }, until);
    return undefined;
  },
  async read({ record, runtime, conversationId, from }) {
    const messages = await runtime.readMessages(ALICE, conversationId);
    const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
    const taken = texts.slice(1).map((text) => Number(text.split(' ')[1]));
    const apply = texts.length === 0 ? MODEL.missing : MODEL.taken(taken);
    record.add({ name: `read: ${texts.length === 0 ? 'missing' : taken}`, from, apply });
    return undefined;
  },
  async follow({ record, runtime, conversationId, from }) {
    const turns = runtime.follow(ALICE, { conversationId, signal: AbortSignal.timeout(30_000) });
    const first = await turns.next().catch(codeOf);
    const followed = typeof first === 'string' || first.done ? undefined : first.value;
    const status = followed ? await readEnd(followed.events) : 'missing';
    const until = record.tick();
    await turns.return();
    if (!followed || status === 'gone') {
      record.add({ name: `follow: ${status}`, from, apply: MODEL.missing }, until);
      return undefined;
    }
    // Its number may be known only later, when its own client has the answer.
    const number = () => record.numbers.get(followed.turnId) ?? -1;
    const name = `follow: ${status}`;
    const after = record.add({ name, from, apply: (state) => MODEL.newest(number())(state) }, until);
    record.add({ name: `${name} to its end`, from, after, apply: (state) => MODEL.ended(number())(state) }, until);
    return undefined;
  },
};

const REFUSED: Record<string, Step['apply']> = { turn_running: MODEL.busy, conversation_not_found: MODEL.missing };

/** Reads to the end and returns the turn's status; `gone` if its end was never emitted. */
async function readEnd(events: AsyncIterable<Event>): Promise<string> {
  let status = 'gone';
  try {
    for await (const event of events) if (event.type === 'turn-end') status = event.result.status;
  } catch (error) {
    codeOf(error);
  }
  return status;
}

/** The code of an error that users can get; any other error is a failure of the test. */
function codeOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.code;
  throw error;
}
