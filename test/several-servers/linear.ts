import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel, type ScriptedFunction } from '../../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import type { Store } from '../../src/store/store.ts';
import type { ToolSource } from '../../src/tools/tool.ts';
import { ALICE, buildTool } from '../build.ts';
import { buildTeam, delegateTo, handBack, handOver } from '../team/team.ts';
import { FIRST, findOrder, MODEL, type Speaker, type Step } from './linear-order.ts';

/** An operation of a client, at a server, after a pause. */
interface Order {
  kind: 'send' | 'ask' | 'pass' | 'over' | 'back' | 'answer' | 'cancel' | 'delete' | 'follow' | 'read';
  at: number;
  pauseMs: number;
}

/**
 * The model's answers take a while, so that operations meet running turns. `ask` makes it call a tool that asks first,
 * `pass` lets a member do that, `over` and `back` hand the conversation over, where the agent may.
 */
const slowReplies: ScriptedFunction = ({ messages, tools }) => {
  const delayMs = Math.floor(Math.random() * 60);
  const last = messages.at(-1);
  const [text = ''] = last?.role === 'user' ? last.content.split('\n') : [];
  const [order, ...key] = text.split(' ');
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const asks = { name: 'remove', arguments: { text: key.join(' ') } };
  if (order === 'pass' && has('delegate_to_clerk'))
    return { calls: [delegateTo('clerk', `ask ${key.join(' ')}`)], delayMs };
  if (order === 'over' && has('hand_over_to_desk')) return { calls: [handOver('desk', text)], delayMs };
  if (order === 'back' && has('hand_back')) return { calls: [handBack(text)], delayMs };
  if (order === 'ask' || order === 'pass') return { calls: [asks], delayMs };
  return { text: ['one ', 'two'], delayMs };
};

/** Effects of the tool, by turn and conversation of the message. */
export type Effects = Map<string, number>;

/** A tool that runs after an approval and counts its effects. */
function countingTool(effects: Effects): ToolSource {
  const tool = buildTool({
    name: 'remove',
    needsApproval: true,
    run({ text }) {
      effects.set(String(text), (effects.get(String(text)) ?? 0) + 1);
      return 'removed';
    },
  });
  return {
    name: 'counting',
    tools: async () => [tool],
    status: () => ({ state: 'ready', tools: [] }),
    close: async () => {},
  };
}

/** The user sends more here than any limit allows. */
const LIMITS = { server: { rate_limit: { turns_per_minute: 1_000_000 }, max_active_turns: 1_000 } };

/** A runtime with the team that the histories talk to. */
export function openServer(effects: Effects, place: { folder: string; store?: Store | undefined }): Promise<Runtime> {
  const members = { clerk: {}, desk: {} };
  const team = buildTeam('helper', { sub_agents: ['clerk'], handoffs: ['desk'], members, parts: LIMITS });
  const { folder, store } = place;
  return createRuntime({
    agents: [team],
    folder,
    model: createScriptedModel(slowReplies),
    sources: [countingTool(effects)],
    ...(store && { store }),
  });
}

const orders = fc.array(
  fc.record({
    kind: fc.constantFrom<Order['kind']>(
      'send',
      'send',
      'ask',
      'ask',
      'pass',
      'pass',
      'over',
      'back',
      'answer',
      'answer',
      'answer',
      'cancel',
      'follow',
      'read',
      'delete',
    ),
    at: fc.nat({ max: 1 }),
    pauseMs: fc.nat({ max: 40 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Runs random histories of three clients on two runtimes over one store; throws at the first that has no order. */
export async function checkHistories(
  runtimes: readonly Runtime[],
  { effects, histories, seed }: { effects: Effects; histories: number; seed?: number },
): Promise<void> {
  const clients = fc.array(orders, { minLength: 3, maxLength: 3 });
  const property = fc.asyncProperty(clients, async (given) => {
    const { steps, conversationId } = await runHistory(runtimes, given);
    checkEffects(steps, (turn) => effects.get(`${turn} ${conversationId}`) ?? 0);
    if (!findOrder(steps)) throw new Error(`no order explains:\n${steps.map(describe).join('\n')}`);
  });
  // A smaller history is another race, so nothing is gained by shrinking.
  await fc.assert(property, { numRuns: histories, endOnFailure: true, ...(seed !== undefined && { seed }) });
}

/** A call ran once if its approval was taken and its turn completed, and never without an approval. */
function checkEffects(steps: readonly Step[], ranOf: (turn: string) => number): void {
  for (const { name } of steps) {
    const asked = /^begin (\d+), asks$/.exec(name)?.[1];
    if (!asked) continue;
    const ran = ranOf(asked);
    const isApproved = steps.some((step) => step.name === `answer ${asked}: taken`);
    const isCompleted = steps.some((step) => step.name.startsWith(`end ${asked}: completed`));
    const isRight = isApproved ? ran === 1 || (ran === 0 && !isCompleted) : ran === 0;
    if (!isRight) throw new Error(`the call of turn ${asked} ran ${ran} times:\n${steps.map(describe).join('\n')}`);
  }
}

const describe = ({ name, from, until }: Step) => `${from}–${until} ${name}`;

async function runHistory(runtimes: readonly Runtime[], clients: readonly Order[][]) {
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
  return { steps: record.steps, conversationId };
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
  send: (call) => send(call, 'message'),
  ask: (call) => send(call, 'ask'),
  pass: (call) => send(call, 'pass'),
  over: (call) => send(call, 'over'),
  back: (call) => send(call, 'back'),
  answer,
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
    const { status } = followed ? await readEnd(followed.events) : { status: 'missing' };
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
    // It was answered or given up while its stored events were read; the rest is a later attempt.
    if (status === 'resumed') return undefined;
    const end = status === 'waiting' ? MODEL.waits : MODEL.ended;
    record.add({ name: `${name} to its end`, from, after, apply: (state) => end(number())(state) }, until);
    return undefined;
  },
};

async function send(
  { record, runtime, conversationId, from }: Call,
  kind: 'message' | 'ask' | 'pass' | 'over' | 'back',
) {
  const turn = record.nextTurn();
  const input = { agent: 'helper', message: `${kind} ${turn} ${conversationId}`, conversationId, keepsGoing: true };
  const sent = await runtime.chat(ALICE, input).catch(codeOf);
  if (typeof sent === 'string') {
    record.add({ name: `send ${turn}: ${sent}`, from, apply: REFUSED[sent] ?? MODEL.never });
    return undefined;
  }
  record.numbers.set(sent.turnId, turn);
  const name = kind === 'ask' || kind === 'pass' ? `begin ${turn}, asks` : `begin ${turn}`;
  const after = record.add({ name, from, apply: MODEL.begin(turn) });
  const to = { over: 'desk', back: 'helper', message: undefined, ask: undefined, pass: undefined } as const;
  return { done: readEnd(sent.events).then(noteEnd(record, { turn, from, after, to: to[kind] })) };
}

/** Approves the call that the newest turn waits for, if there is one. */
async function answer({ record, runtime, conversationId, from }: Call) {
  const newest = await runtime.readNewestTurn(ALICE, conversationId);
  if (newest?.status !== 'waiting') return undefined;
  const events = await runtime.readEvents(ALICE, newest.id);
  const answers = events.flatMap((event) =>
    event.type === 'tool-call-wait' ? [{ call_id: event.call_id, approved: true }] : [],
  );
  // The conversation was deleted between the two readings.
  if (answers.length === 0) return undefined;
  const taken = await runtime.answer(ALICE, { conversationId, answers, keepsGoing: true }).catch(codeOf);
  const number = () => record.numbers.get(newest.id) ?? -1;
  if (typeof taken === 'string') {
    const apply = ANSWER_REFUSED[taken] ?? (() => MODEL.never);
    record.add({ name: `answer: ${taken}`, from, apply: (state) => apply(number())(state) });
    return undefined;
  }
  const until = record.tick();
  // The client of the message may not have its number yet.
  while (number() < 0) await delay(1);
  const turn = number();
  const after = record.add({ name: `answer ${turn}: taken`, from, apply: MODEL.answer(turn) }, until);
  return { done: readEnd(taken.events).then(noteEnd(record, { turn, from, after })) };
}

interface Begun {
  turn: number;
  from: number;
  after: Step;
  /** The agent that has the conversation after the turn; undefined if it stays as it is. */
  to?: Speaker | undefined;
}

function noteEnd(record: Call['record'], { turn, from, after, to }: Begun) {
  return ({ status, agent }: Ended): void => {
    const apply = status === 'waiting' ? MODEL.wait(turn) : MODEL.end(turn, status, { to, agent });
    record.add({ name: `end ${turn}: ${status}${agent ? ` by ${agent}` : ''}`, from, after, apply });
  };
}

const REFUSED: Record<string, Step['apply']> = {
  turn_running: MODEL.busy,
  awaiting_input: MODEL.asking,
  conversation_not_found: MODEL.missing,
};

const ANSWER_REFUSED: Record<string, (turn: number) => Step['apply']> = {
  invalid_request: MODEL.notWaiting,
  turn_running: MODEL.notWaiting,
  conversation_not_found: () => MODEL.missing,
};

interface Ended {
  status: string;
  agent?: string | undefined;
}

/** Reads to the end and returns the turn's status; `waiting` if it waits for an approval, `gone` if its end was never emitted. */
async function readEnd(events: AsyncIterable<Event>): Promise<Ended> {
  let status = 'gone';
  let agent: string | undefined;
  try {
    for await (const event of events) {
      if (event.type === 'turn-end') ({ status, agent } = event.result);
      if (event.type === 'turn-wait') status = 'waiting';
      if (event.type === 'turn-resume') status = 'resumed';
    }
  } catch (error) {
    codeOf(error);
  }
  return { status, agent };
}

/** The code of an error that users can get; any other error is a failure of the test. */
function codeOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.code;
  throw error;
}
