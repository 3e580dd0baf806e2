import type { Clock } from '../clock.ts';
import { type Event, type EventBody, isDelta, isPassing } from '../schema/conversation/event.ts';
import { formatPosition } from '../schema/position.ts';
import type { Journal } from './journal.ts';

/** Numbers events and stores nothing, for turns whose caller keeps the history. */
export function createMemoryJournal({ turnId, clock }: { turnId: string; clock: Clock }): Journal {
  let seq = 0;
  let offset = 0;
  let passed = 0;
  const place = (body: EventBody): Event => ({
    ...body,
    id: formatPosition({ turn: turnId, attempt: 1, seq, offset }),
    at: clock.date().toISOString(),
  });
  return {
    async commit(...bodies) {
      return bodies.map((body) => {
        seq++;
        return place(body);
      });
    },
    note(body) {
      if (body.type === 'step-start') seq++;
      if (isDelta(body)) offset += body.text.length;
      const event = place(body);
      return isPassing(body) ? { ...event, id: `${event.id}+${++passed}` } : event;
    },
  };
}
