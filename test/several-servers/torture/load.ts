import { setTimeout as delay } from 'node:timers/promises';
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

  const ask = async (front: Front, id: string, place: string | undefined): Promise<TurnAnswer> => {
    const until = performance.now() + settleMs;
    let last = '';
    while (performance.now() < until) {
      const call = { url, token, key: id, message: `count ${id}`, place, timeoutMs: REQUEST_MS };
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
        const answer = await ask(front, id, place);
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
