import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALICE, BOB, buildAgent } from '../../../test/build.ts';
import { temporaryFolder } from '../../../test/runtime.ts';
import { systemClock } from '../../clock.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { formatPosition, parsePosition } from '../../schema/position.ts';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { createShare, userShares } from './admission.ts';
import { createConversationWatch } from './conversation-watch.ts';
import { eventsUpTo } from './follow.ts';
import { joinServers } from './servers.ts';
import { createTurns } from './turns.ts';
import { eventsAfter } from './viewer.ts';

const TURN = newUlid();
const MESSAGE = newUlid();

/** A reply of texts with the given lengths, with a notice of the journal between them. */
function reply(lengths: readonly number[]): Event[] {
  let offset = 0;
  return lengths.map((length, index): Event => {
    const seq = 1 + Math.floor(index / 2);
    offset += length;
    const place = { id: formatPosition({ turn: TURN, attempt: 1, seq, offset }), at: '2026-01-01T00:00:00Z' };
    return { ...place, type: 'text-delta', message_id: MESSAGE, text: 'abcdefghij'.slice(0, length) };
  });
}

const textOf = (events: readonly Event[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

describe('eventsUpTo', () => {
  it('is, with eventsAfter, the whole text at every position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (lengths, cut) => {
          const events = reply(lengths);
          const at = events[cut % events.length];
          const position = parsePosition(String(at?.id));
          const before = textOf(eventsUpTo(events, position));
          expect(before + textOf(eventsAfter(events, position))).toBe(textOf(events));
          expect(before.length).toBe(position.offset);
        },
      ),
    );
  });

  it('cuts a text that the reader has in part', () => {
    const events = reply([5]);
    const position = { ...parsePosition(String(events[0]?.id)), offset: 2 };
    expect([textOf(eventsUpTo(events, position)), textOf(eventsAfter(events, position))]).toEqual(['ab', 'cde']);
  });
});

const jwt = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };
const sharesOf = (server: object) => userShares(buildAgent({ server }).server);

describe('requests of other processes', () => {
  it('are read as a turn starts only if it began before: a new turn has none yet', async () => {
    const store = createSqliteStore({ folder: temporaryFolder() });
    const asked: string[] = [];
    const takeRequests: typeof store.takeRequests = async (turnIds) => {
      asked.push(...turnIds);
      return [];
    };
    const turns = createTurns({ maxActive: 10, clock: systemClock });
    const servers = joinServers({ store: { ...store, takeRequests }, turns, log: undefined });
    const start = (turnId: string, first: Event[]) => {
      // biome-ignore lint/correctness/useYield: it fails before it emits anything
      const run = async function* (): AsyncGenerator<Event, never> {
        throw new Error('over');
      };
      const turn = turns.start(ALICE, { turnId, conversationId: newUlid(), first, keepsGoing: true, run });
      return turn.done.catch(() => {});
    };
    const again: Event = {
      type: 'turn-resume',
      id: formatPosition({ turn: MESSAGE, attempt: 2, seq: 1, offset: 0 }),
      at: '2026-01-01T00:00:00Z',
      reason: 'retry',
    };
    const ended = [start(TURN, reply([5]))];
    expect(asked).toEqual([]);
    ended.push(start(MESSAGE, [again]));
    expect(asked).toEqual([TURN, MESSAGE]);
    await Promise.all(ended);
    servers.close();
    await store.close();
  });
});

describe('createShare', () => {
  it('gives each user as many places, and a place again when one is released', () => {
    const share = createShare({ perUser: 2, what: 'turns are running' });
    const first = share.take(ALICE);
    share.take(ALICE);
    expect(() => share.take(ALICE)).toThrow(expect.objectContaining({ code: 'over_capacity', status: 429 }));
    share.take(BOB);
    first.release();
    first.release();
    share.take(ALICE);
    expect(() => share.take(ALICE)).toThrow(/2 of your turns are running/);
  });

  it('counts what is held without asking', () => {
    const share = createShare({ perUser: 1, what: 'turns are running' });
    const place = share.hold(ALICE);
    expect(() => share.take(ALICE)).toThrow();
    place.release();
    share.take(ALICE);
  });
});

describe('userShares', () => {
  it('is a quarter of all turns with authentication, at least 4, and nothing without', () => {
    expect(sharesOf({ auth: { jwt } })).toEqual({ turns: 50, streams: 50 });
    expect(sharesOf({ auth: { jwt }, max_active_turns: 10 })).toEqual({ turns: 4, streams: 4 });
    expect(sharesOf({})).toEqual({ turns: undefined, streams: undefined });
  });

  it('is what the file names, with or without authentication', () => {
    const named = { max_active_turns_per_user: 2, max_streams_per_user: 3 };
    expect(sharesOf({ auth: { jwt }, ...named })).toEqual({ turns: 2, streams: 3 });
    expect(sharesOf(named)).toEqual({ turns: 2, streams: 3 });
  });
});

describe('conversation watch', () => {
  /** A watched list over a real store, which counts the conversations that are read one by one. */
  async function openWatch() {
    const store = createSqliteStore({ folder: temporaryFolder() });
    const left = new AbortController();
    let reads = 0;
    const readConversation: typeof store.readConversation = (user, id) => {
      reads++;
      return store.readConversation(user, id);
    };
    const { listConversations: list, changeMark } = store;
    const watch = createConversationWatch({ store: { changeMark, readConversation }, list });
    onTestFinished(async () => {
      left.abort();
      watch.close();
      await store.close();
    });
    const changes = await watch.watch(ALICE, left.signal);
    const add = (count: number, metadata = {}) =>
      Promise.all(
        Array.from({ length: count }, () => {
          const now = new Date().toISOString();
          return store.addConversation(ALICE, { conversationId: newUlid(), agent: 'helper', turns: [], metadata, now });
        }),
      );
    const take = async (count: number) => {
      for (let taken = 0; taken < count; taken++) await changes.next();
    };
    return { add, take, reads: () => reads };
  }

  it('reads a conversation once when it leaves the watched part of the list', async () => {
    const { add, take, reads } = await openWatch();
    await add(200);
    await take(200);
    await add(50);
    await take(50);
    for (let added = 0; added < 2; added++) {
      await add(1);
      await take(1);
    }
    expect(reads()).toBeLessThanOrEqual(52);
  });
});
