import type { Questions } from '../agent/running-turn.ts';
import type { Json } from '../schema/json.ts';

/** Where running calls wait for the answers to their questions. */
export interface Mailbox extends Questions {
  answer(callId: string, value: Json): boolean;
}

export function createMailbox(): Mailbox {
  const open = new Map<string, (value: Json) => void>();
  return {
    ask(callId, signal) {
      return new Promise((resolve, reject) => {
        const give = () => reject(signal.reason);
        if (signal.aborted) return give();
        signal.addEventListener('abort', give, { once: true });
        open.set(callId, (value) => {
          signal.removeEventListener('abort', give);
          resolve(value);
        });
      });
    },
    answer(callId, value) {
      const resolve = open.get(callId);
      open.delete(callId);
      resolve?.(value);
      return resolve !== undefined;
    },
  };
}
