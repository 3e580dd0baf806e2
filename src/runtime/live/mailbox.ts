import type { QuestionReply, Questions } from '../../agent/running-turn.ts';
import type { CallAnswer } from '../../schema/conversation/event.ts';

/** Open questions of a turn's running calls, at most one per call. */
export interface Mailbox extends Questions {
  /** Passes each asking call its answer. A refusal declines the question. */
  answer(answers: readonly CallAnswer[], key?: string): void;
  asks(callId: string): boolean;
  isAsking(): boolean;
}

export function createMailbox(refusal: () => string | undefined): Mailbox {
  const open = new Map<string, (reply: QuestionReply) => void>();
  return {
    refusal,
    ask(callId, signal) {
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          open.delete(callId);
          reject(signal.reason);
        };
        if (signal.aborted) return giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        open.set(callId, (reply) => {
          signal.removeEventListener('abort', giveUp);
          resolve(reply);
        });
      });
    },
    answer(answers, key) {
      for (const given of answers) {
        const take = open.get(given.call_id);
        open.delete(given.call_id);
        const value = 'result' in given ? given.result : null;
        take?.({ value, answers, ...(key !== undefined && { key }) });
      }
    },
    asks: (callId) => open.has(callId),
    isAsking: () => open.size > 0,
  };
}
