import type { Event } from '../schema/conversation/event.ts';

/** A note between servers. Notes may be lost, doubled or late; nothing may depend on their arrival. */
export type Note =
  /** A server asks the runner of a turn for its events after a position. Repeated while someone reads. */
  | { kind: 'watch'; user: string; turn: string; after?: string; to: string }
  | { kind: 'unwatch'; turn: string; to: string }
  /** Events of a watched turn, in order. */
  | { kind: 'events'; turn: string; events: readonly Event[] }
  /** The next event of a watched turn is too long for a note and is in the store. */
  | { kind: 'wake'; turn: string }
  /** A request for a running turn is in the store. */
  | { kind: 'poke'; turn: string }
  /** A turn of this conversation began. */
  | { kind: 'began'; conversation: string };

/** A best-effort channel between the servers of one store. */
export interface Bus {
  /** The address of this server. */
  readonly address: string;
  /** Whether notes arrived lately. If not, readers poll the store. */
  readonly isLive: boolean;
  /** Sends a note to one server, or to all other servers. Never waits, never throws. */
  publish(note: Note, to?: string): void;
  /** Calls back for each note from another server. */
  subscribe(callback: (note: Note) => void): () => void;
}
