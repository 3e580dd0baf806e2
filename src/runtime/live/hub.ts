import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { Bus, Note, SharedStore } from '../../store/shared.ts';
import type { Turns } from './turns.ts';
import type { EventStream } from './viewer.ts';

/** Notes between servers, by what they are about. Without a bus nothing is sent, and readers poll. */
export interface Hub {
  /** Whether notes arrive; if not, readers poll more often. */
  readonly isLive: boolean;
  /** Calls back for notes about a turn that another server runs, and asks its runner for events meanwhile. */
  watchTurn(user: User, watched: WatchedTurn): () => void;
  /** Calls back when another server begins a turn of this conversation. */
  onBegin(conversationId: string, callback: () => void): () => void;
  /** Calls back when another server left a request for a turn of this one. */
  onPoke(callback: () => void): () => void;
  began(conversationId: string): void;
  poke(turnId: string): void;
  close(): void;
}

interface WatchedTurn {
  turnId: string;
  /** The id of the last event that the reader has. */
  after(): string | undefined;
  take(note: Extract<Note, { kind: 'events' | 'wake' }>): void;
}

/** A runner forgets readers that have not asked again for three times as long. */
const WATCH_EVERY_MS = 5_000;

export function createHub({ bus }: Pick<SharedStore, 'bus'>, turns: Turns): Hub {
  if (!bus) return SILENT;
  const watched = createCallbacks<Extract<Note, { kind: 'events' | 'wake' }>>();
  const begins = createCallbacks<void>();
  const pokes = new Set<() => void>();
  const relay = createRelay(bus, turns);
  const unsubscribe = bus.subscribe((note) => {
    if (note.kind === 'events' || note.kind === 'wake') watched.call(note.turn, note);
    if (note.kind === 'began') begins.call(note.conversation);
    if (note.kind === 'poke') for (const callback of pokes) callback();
    if (note.kind === 'watch') relay.watch(note);
    if (note.kind === 'unwatch') relay.unwatch(note);
  });
  return {
    get isLive() {
      return bus.isLive;
    },
    watchTurn: (user, turn) => watchTurn(bus, user, { turn, watched }),
    onBegin: begins.add,
    onPoke(callback) {
      pokes.add(callback);
      return () => pokes.delete(callback);
    },
    began: (conversation) => bus.publish({ kind: 'began', conversation }),
    poke: (turn) => bus.publish({ kind: 'poke', turn }),
    close() {
      unsubscribe();
      relay.close();
    },
  };
}

interface Watching {
  turn: WatchedTurn;
  watched: Callbacks<Extract<Note, { kind: 'events' | 'wake' }>>;
}

function watchTurn(bus: Bus, user: User, { turn, watched }: Watching): () => void {
  const ask = () => {
    const after = turn.after();
    const note = { kind: 'watch' as const, user: user.id, turn: turn.turnId, to: bus.address };
    bus.publish({ ...note, ...(after !== undefined && { after }) });
  };
  const forget = watched.add(turn.turnId, turn.take);
  ask();
  const timer = setInterval(ask, WATCH_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    forget();
    if (!watched.has(turn.turnId)) bus.publish({ kind: 'unwatch', turn: turn.turnId, to: bus.address });
  };
}

const SILENT: Hub = {
  isLive: false,
  watchTurn: () => () => {},
  onBegin: () => () => {},
  onPoke: () => () => {},
  began: () => {},
  poke: () => {},
  close: () => {},
};

interface Callbacks<T> {
  add(key: string, callback: (value: T) => void): () => void;
  call(key: string, value: T): void;
  has(key: string): boolean;
}

function createCallbacks<T>(): Callbacks<T> {
  const byKey = new Map<string, Set<(value: T) => void>>();
  return {
    add(key, callback) {
      const callbacks = byKey.get(key) ?? new Set();
      byKey.set(key, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0) byKey.delete(key);
      };
    },
    call(key, value) {
      for (const callback of byKey.get(key) ?? []) callback(value);
    },
    has: (key) => byKey.has(key),
  };
}

/** Sends the events of turns that run here to the servers that asked for them. */
interface Relay {
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

function createRelay(bus: Bus, turns: Pick<Turns, 'findOf'>): Relay {
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
