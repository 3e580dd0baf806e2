import type { Questions } from '../agent/running-turn.ts';
import type { Json } from '../schema/json.ts';

/** Where running calls wait for the answers to their questions; one that asks twice is answered in order. */
export interface Mailbox extends Questions {
  answer(callId: string, value: Json): boolean;
  /** Somebody waits for a human. */
  isAsking(): boolean;
}

export function createMailbox(): Mailbox {
  const open = new Map<string, ((value: Json) => void)[]>();
  return {
    ask(callId, signal) {
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          open.delete(callId);
          reject(signal.reason);
        };
        if (signal.aborted) return giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        const take = (value: Json) => {
          signal.removeEventListener('abort', giveUp);
          resolve(value);
        };
        open.set(callId, [...(open.get(callId) ?? []), take]);
      });
    },
    answer(callId, value) {
      const [first, ...rest] = open.get(callId) ?? [];
      if (rest.length > 0) open.set(callId, rest);
      else open.delete(callId);
      first?.(value);
      return first !== undefined;
    },
    isAsking: () => open.size > 0,
  };
}
