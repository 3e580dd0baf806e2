import { AppError } from '../../errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import { type Cassette, type Entry, hashOf } from './cassette.ts';
import { describeDifference } from './tape-request.ts';

type Placed = Entry & { index: number };

/** The entries of a cassette that were not used yet. */
export interface Supply {
  /** The entry with the same request; the order decides between equal ones. Throws if there is none. */
  take(kind: Entry['kind'], request: JsonObject): Placed;
  /** The next entry of a kind without requests, or with this mark. */
  takeNext(kind: Entry['kind'], mark?: string): Placed | undefined;
  /** Waits for the replies that were recorded before this one, so that parallel calls end in the recorded order. */
  inOrder(entry: Placed): Promise<void>;
  /** Keeps a difference; the first one counts. */
  differ(text: string): void;
  /** The first difference, also if a recorded request was never made. */
  finish(): string | undefined;
}

/** Rounds of the event loop in which an earlier reply is waited for. */
const MAX_ROUNDS = 1_000;

export function createSupply(cassette: Cassette): Supply {
  const open: Placed[] = cassette.entries.map((entry, index) => ({ ...entry, index }));
  let difference: string | undefined;
  const remove = (isWanted: (entry: Placed) => boolean): Placed | undefined => {
    const at = open.findIndex(isWanted);
    return at === -1 ? undefined : open.splice(at, 1)[0];
  };
  return {
    take(kind, request) {
      const hash = hashOf(JSON.stringify(request));
      const found = remove((entry) => entry.kind === kind && entry.request_hash === hash);
      if (found) return found;
      const next = open.find((entry) => entry.kind === kind && isSimilar(entry.request, request));
      difference ??= next
        ? `the ${kind} request differs from the recording:\n${describeDifference(next.request, request)}`
        : `this ${kind} request is not in the recording:\n${describeDifference({}, request)}`;
      throw new AppError('model_refused', { detail: 'The recording has no reply for this.' });
    },
    takeNext: (kind, mark) => remove((entry) => entry.kind === kind && entry.request === mark),
    async inOrder({ index }) {
      const isEarlier = (entry: Placed) => entry.index < index && ['tool', 'mcp'].includes(entry.kind);
      for (let round = 0; round < MAX_ROUNDS && open.some(isEarlier); round++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    differ(text) {
      difference ??= text;
    },
    finish() {
      const left = open.find(({ kind, request }) => kind === 'model' || kind === 'file' || isCall(request));
      if (left) difference ??= `a recorded ${left.kind} request was not made:\n${describeDifference(left.request, {})}`;
      return difference;
    },
  };
}

/** Calls are compared with calls, and lists of tools with lists. */
function isSimilar(recorded: Entry['request'], request: JsonObject): boolean {
  return isCall(recorded) === isCall(request);
}

function isCall(request: Entry['request']): boolean {
  return typeof request === 'object' && request !== null && 'tool' in request;
}
