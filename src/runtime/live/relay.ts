import { parsePosition } from '../../schema/position.ts';
import type { Bus, Note } from '../../store/shared.ts';
import type { Turns } from './turns.ts';
import type { EventStream } from './viewer.ts';

/** Sends the events of turns that run here to the servers that asked for them. */
export interface Relay {
  watch(note: Extract<Note, { kind: 'watch' }>): void;
  unwatch(note: Extract<Note, { kind: 'unwatch' }>): void;
  close(): void;
}

interface Sending {
  events: EventStream;
  timer: NodeJS.Timeout;
}

/** A server that has not asked again for so long reads no longer. */
const FORGET_MS = 15_000;

export function createRelay(bus: Bus, turns: Pick<Turns, 'findOf'>): Relay {
  const sending = new Map<string, Sending>();

  const stop = (key: string) => {
    const found = sending.get(key);
    sending.delete(key);
    clearTimeout(found?.timer);
    found?.events.return?.();
  };
  const forgetLater = (key: string) => setTimeout(() => stop(key), FORGET_MS).unref();
  const send = async (key: string, { turn, to }: { turn: string; to: string }, events: EventStream) => {
    try {
      for await (const event of events) bus.publish({ kind: 'events', turn, events: [event] }, to);
    } catch {
      // The turn's journal failed; readers find its state in the store.
    } finally {
      bus.publish({ kind: 'wake', turn }, to);
      if (sending.get(key)?.events === events) stop(key);
    }
  };

  return {
    watch({ user, turn, after, to }) {
      const key = `${turn} ${to}`;
      const known = sending.get(key);
      if (known) {
        clearTimeout(known.timer);
        known.timer = forgetLater(key);
        return;
      }
      const live = turns.findOf(user, turn);
      if (!live) return;
      const events = live.watch(after === undefined ? undefined : parsePosition(after));
      sending.set(key, { events, timer: forgetLater(key) });
      void send(key, { turn, to }, events);
    },
    unwatch: ({ turn, to }) => stop(`${turn} ${to}`),
    close() {
      for (const key of [...sending.keys()]) stop(key);
    },
  };
}
