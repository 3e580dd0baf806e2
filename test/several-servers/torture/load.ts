import { setTimeout as delay } from 'node:timers/promises';
import { get } from '../client.ts';
import { FRONTS, type Front, type TurnAnswer } from './fronts.ts';

/** An answer that a client has received. */
interface Acknowledged {
  id: string;
  session: string;
  front: Front;
}

export interface Load {
  acknowledged: Acknowledged[];
  /** Turns that ended with an error, as their clients were informed. */
  failed: string[];
  /** Turns without an answer in time. */
  stuck: string[];
  /** Ends the load and waits for the answers on their way. */
  finish(): Promise<void>;
}

export interface LoadOptions {
  url: string;
  token: string;
  clients: number;
  /** A turn that is repeated for so long without an answer is stuck. */
  settleMs: number;
}

/**
 * The orders of a client's messages, one after the other. The first agent counts, delegates over two levels, and hands the
 * conversation over; then the member counts, delegates, and hands back. REST has a person who allows the call of a member.
 */
const ORDERS = ['count', 'to desk to till count', 'over desk count', 'count', 'to till count', 'back count'];
const ORDERS_OF: Record<Front, readonly string[]> = {
  rest: ORDERS.with(1, 'to desk to till pay'),
  stream: ORDERS,
  agui: ORDERS,
};

/** A stopped server holds a request until it goes on. */
const REQUEST_MS = 20_000;
const RETRY_MS = 150;
/** The check reads one page of turns. */
const TURNS_OF_CONVERSATION = 50;
const NAMES = Object.keys(FRONTS) as Front[]; // the keys of a constant table

/** Clients of all fronts; each sends a message, repeats it with its key until it is answered, then sends the next. */
export function startLoad({ url, token, clients, settleMs }: LoadOptions): Load {
  const load: Load = { acknowledged: [], failed: [], stuck: [], finish: async () => {} };
  let isOver = false;

  const ask = async (front: Front, order: string, at: { id: string; place: string | undefined }) => {
    const until = performance.now() + settleMs;
    let last = '';
    while (performance.now() < until) {
      const { id, place } = at;
      const call = { url, token, key: id, message: `${order} ${id}`, place, timeoutMs: REQUEST_MS };
      const answer = await FRONTS[front](call).catch((error: unknown) => String(error));
      if (typeof answer !== 'string' && isEnd(answer)) return answer;
      last = typeof answer === 'string' ? answer : answer.status;
      await delay(RETRY_MS);
    }
    throw new Error(`not answered within ${settleMs} ms; last: ${last}`);
  };
  const runClient = async (client: number) => {
    const front = NAMES[client % NAMES.length] ?? 'rest';
    let place: string | undefined;
    for (let turn = 0; !isOver; turn++) {
      const id = `c${client}-${turn}`;
      const isFirst = turn % TURNS_OF_CONVERSATION === 0;
      if (isFirst) place = front === 'agui' ? `thread-${id}` : undefined;
      try {
        const orders = ORDERS_OF[front];
        const order = orders[(turn % TURNS_OF_CONVERSATION) % orders.length] ?? 'count';
        const answer = await ask(front, order, { id, place });
        if (front !== 'agui' && answer.session) place = answer.session;
        if (answer.status === 'completed') load.acknowledged.push({ id, session: answer.session, front });
        else load.failed.push(`${id}: ${answer.status} ${answer.code ?? ''}`);
      } catch (error) {
        load.stuck.push(`${id}: ${String(error).slice(0, 300)}`);
        return;
      }
    }
  };
  const running = Array.from({ length: clients }, (_, client) => runClient(client));
  load.finish = async () => {
    isOver = true;
    await Promise.all(running);
  };
  return load;
}

/** Errors after which a client repeats its request. */
const PASSING = /store_unavailable|turn_taken_over|turn_running|interrupted|shutting_down|cut off|internal/;

function isEnd({ status }: TurnAnswer): boolean {
  return !/^\d/.test(status) && !PASSING.test(status);
}

export interface Checked {
  /** Turns that were acknowledged and are not in the store, lack their answer, or were answered by the wrong agent. */
  lost: string[];
  /** Ids that the counting tool counted more than once. */
  doubled: string[];
  /** Conversations that have an open turn or take no message. */
  stuck: string[];
}

interface CheckOptions {
  url: string;
  token: string;
  load: Load;
  effects: readonly string[];
  settleMs: number;
}

interface Turns {
  turns: {
    status: string;
    user_message?: { content: string };
    result?: { content: string; agent?: string; tool_calls: { name: string }[] };
  }[];
}

/** Compares what was acknowledged with what is stored, and the tool's effects with each other. */
export async function check({ url, token, load, effects, settleMs }: CheckOptions): Promise<Checked> {
  const checked: Checked = { lost: [], doubled: [], stuck: [] };
  const bySession = Map.groupBy(load.acknowledged, ({ session }) => session);
  for (const [session, turns] of bySession) {
    const stored = await readTurns(url, token, session);
    for (const { id } of turns) {
      const turn = stored.find(({ user_message }) => user_message?.content.endsWith(` ${id}`));
      if (turn?.status !== 'completed' || !turn.result?.content) checked.lost.push(id);
    }
    checked.lost.push(...findStrays(stored));
    if (stored.some(({ status }) => status === 'running' || status === 'waiting')) checked.stuck.push(session);
    else if (!(await takesMessage({ url, token, session, settleMs }))) checked.stuck.push(session);
  }
  const seen = new Set<string>();
  for (const id of effects) {
    if (seen.has(id)) checked.doubled.push(id);
    seen.add(id);
  }
  return checked;
}

/**
 * Turns that were not answered by the agent that had the conversation, or without the member that they are for. After a
 * failed turn the agent is not known.
 */
function findStrays(stored: Turns['turns']): string[] {
  let speaker: string | undefined = 'counter';
  // The newest is the first one.
  return stored.toReversed().flatMap(({ status, user_message, result }) => {
    const { content = '' } = user_message ?? {};
    const [order] = content.split(' ');
    const expected = order === 'over' ? 'desk' : order === 'back' ? 'counter' : speaker;
    speaker = status === 'completed' ? result?.agent : undefined;
    if (status !== 'completed') return [];
    const isAlone = order === 'to' && !result?.tool_calls.some(({ name }) => name.startsWith('delegate_to_'));
    const isStray = expected !== undefined && speaker !== expected;
    return [
      ...(isAlone ? [`${content}: not delegated`] : []),
      ...(isStray ? [`${content}: ${speaker} in place of ${expected}`] : []),
    ];
  });
}

async function readTurns(url: string, token: string, session: string): Promise<Turns['turns']> {
  const path = `/sessions/${session}/turns?limit=100`;
  for (let tries = 1; ; tries++) {
    try {
      return (await get<Turns>(url, path, token)).turns;
    } catch (error) {
      if (tries === 10) throw error;
      await delay(500);
    }
  }
}

async function takesMessage(of: { url: string; token: string; session: string; settleMs: number }): Promise<boolean> {
  const { url, token, session, settleMs } = of;
  const call = { url, token, key: `last-${session}`, message: 'hello', place: session, timeoutMs: 20_000 };
  const until = performance.now() + settleMs;
  while (performance.now() < until) {
    const answer = await FRONTS.rest(call).catch(() => undefined);
    if (answer?.status === 'completed') return true;
    await delay(200);
  }
  return false;
}
