import type { Ids } from '../../ids.ts';
import type { Bus, Note } from '../shared.ts';
import { openDriver } from './link.ts';

export interface BusOptions {
  url: string;
  ids: Ids;
  /** The monotonic clock. */
  elapsed(): number;
}

export interface NotifyBus extends Bus {
  close(): Promise<void>;
}

interface Envelope {
  from: string;
  notes: (Note | { kind: 'ping' })[];
}

/** Waiting notes for one receiver are sent together after this time. */
const BATCH_MS = 25;
/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_BYTES = 7_500;
/** Notes that wait while the database is away; older ones are dropped, because readers then poll. */
const MAX_WAITING = 2_000;
/** A ping to itself proves that LISTEN works, also behind a pooler that drops it silently. */
const PING_MS = 5_000;
const LIVE_MS = 3 * PING_MS;

const ALL = 'holodeck';
const SEND = `SELECT pg_notify(note ->> 0, note ->> 1) FROM jsonb_array_elements($1::text::jsonb) note`;

/** Notes between servers by LISTEN and NOTIFY, on connections of their own and never in a transaction that writes. */
export async function createNotifyBus({ url, ids, elapsed }: BusOptions): Promise<NotifyBus> {
  const address = ids.ulid();
  const driver = openDriver(url, 1, 'holodeck-bus');
  const listeners = new Set<(note: Note) => void>();
  const waiting = new Map<string, string[]>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let lastPing = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  const receive = (payload: string) => {
    const { from, notes } = parseEnvelope(payload);
    for (const note of notes) {
      if (note.kind !== 'ping' && from !== address) for (const listener of listeners) listener(note);
      if (note.kind === 'ping' && from === address) lastPing = elapsed();
    }
  };
  const flush = () => {
    timer = undefined;
    const payloads = [...waiting].flatMap(([channel, notes]) =>
      inPayloads(address, notes).map((text) => [channel, text]),
    );
    waiting.clear();
    count = 0;
    // Notes are best effort: one that cannot be sent is dropped.
    const send = () => driver.unsafe(SEND, [JSON.stringify(payloads)], { prepare: true });
    sending = sending.then(send).then(
      () => {},
      () => {},
    );
  };
  const put = (channel: string, text: string) => {
    if (isClosed || count >= MAX_WAITING) return;
    count++;
    waiting.set(channel, [...(waiting.get(channel) ?? []), text]);
    timer ??= setTimeout(flush, BATCH_MS).unref();
  };
  const ping = () => put(channelOf(address), '{"kind":"ping"}');

  // The driver listens again by itself after a lost connection. Without LISTEN the servers poll.
  const listening = Promise.all([driver.listen(ALL, receive), driver.listen(channelOf(address), receive)]).then(
    ping,
    () => {},
  );
  const pings = setInterval(ping, PING_MS).unref();
  await Promise.race([listening, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
  return {
    address,
    get isLive() {
      return elapsed() - lastPing < LIVE_MS;
    },
    publish(note, to) {
      const text = JSON.stringify(note);
      if (Buffer.byteLength(text) > MAX_BYTES) {
        if (note.kind === 'events') put(channelFor(to), JSON.stringify({ kind: 'wake', turn: note.turn }));
        return;
      }
      put(channelFor(to), text);
    },
    subscribe(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    async close() {
      isClosed = true;
      clearInterval(pings);
      clearTimeout(timer);
      await driver.end({ timeout: 1 }).catch(() => {});
    },
  };
}

function channelFor(to: string | undefined): string {
  return to === undefined ? ALL : channelOf(to);
}

function channelOf(address: string): string {
  return `holodeck_${address.toLowerCase()}`;
}

/** Joins notes in order into as few payloads as fit. */
function inPayloads(from: string, notes: readonly string[]): string[] {
  const payloads: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const note of notes) {
    const size = Buffer.byteLength(note) + 1;
    if (bytes + size > MAX_BYTES) {
      payloads.push([]);
      bytes = 0;
    }
    payloads.at(-1)?.push(note);
    bytes += size;
  }
  return payloads.map((joined) => `{"from":"${from}","notes":[${joined.join()}]}`);
}

const NOTHING: Envelope = { from: '', notes: [] };

/** A payload of another program or of a newer server is ignored. */
function parseEnvelope(payload: string): Envelope {
  try {
    const parsed: unknown = JSON.parse(payload);
    if (typeof parsed !== 'object' || parsed === null || !('from' in parsed) || !('notes' in parsed)) return NOTHING;
    if (!Array.isArray(parsed.notes) || parsed.notes.some((note) => typeof note?.kind !== 'string')) return NOTHING;
    return parsed as Envelope; // checked above; unknown kinds are ignored by the receivers
  } catch {
    return NOTHING;
  }
}
