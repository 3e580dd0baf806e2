import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../schema/conversation/event.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { formatPosition, parsePosition } from '../../schema/position.ts';
import { appendDelta } from '../turn/journal.ts';
import { eventsAfter, Viewer } from './viewer.ts';

const TURN = newUlid();
const at = '2026-01-01T00:00:00.000Z';

/** A turn's events as they are emitted: `null` is a step, text is a delta. */
function emitAll(parts: (string | null)[]): Event[] {
  let seq = 1;
  let offset = 0;
  return parts.map((part) => {
    if (part === null) seq++;
    else offset += part.length;
    const id = formatPosition({ turn: TURN, attempt: 1, seq, offset });
    return part === null
      ? { type: 'intent', intents: [], id, at }
      : { type: 'text-delta', message_id: TURN, text: part, id, at };
  });
}

/** The text and the number of steps that a reader ends up with. */
function sumUp(events: Event[]): { text: string; steps: number } {
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { text, steps: events.filter((event) => event.type === 'intent').length };
}

function watch(told: Event[], after?: Event): Viewer {
  return new Viewer({ events: told, after: after && parsePosition(after.id), onLeave: () => {} });
}

async function readAll(viewer: Viewer): Promise<Event[]> {
  const seen: Event[] = [];
  for await (const event of viewer) seen.push(event);
  return seen;
}

const turns = fc.array(fc.oneof(fc.constant(null), fc.string({ minLength: 1, maxLength: 5 })), { maxLength: 30 });

describe('eventsAfter', () => {
  it('returns the events after any position exactly once', () => {
    fc.assert(
      fc.property(turns, fc.nat(30), (parts, cut) => {
        const events = emitAll(parts);
        const stored = events.reduce(appendDelta, [] as Event[]);
        const seen = events.slice(0, cut);
        const last = seen.at(-1);
        const rest = eventsAfter(stored, last && parsePosition(last.id));
        expect(sumUp([...seen, ...rest])).toEqual(sumUp(events));
      }),
    );
  });
});

describe('Viewer', () => {
  it('shows a late reader the same as one that was there from the start', async () => {
    const events = emitAll(['a', null, 'bc', 'd', null, 'e']);
    for (let joins = 0; joins <= events.length; joins++) {
      const told: Event[] = [];
      for (const event of events.slice(0, joins)) appendDelta(told, event);
      const viewer = watch(told);
      for (const event of events.slice(joins)) {
        appendDelta(told, event);
        viewer.push(event);
      }
      viewer.end();
      expect(sumUp(await readAll(viewer))).toEqual({ text: 'abcde', steps: 2 });
    }
  });

  it('lets a slow reader fall behind without buffering every delta for it', async () => {
    const events = emitAll(Array.from({ length: 5_000 }, (_, index) => (index % 100 === 0 ? null : `${index} `)));
    const told: Event[] = [];
    const viewer = watch(told);
    for (const event of events) {
      appendDelta(told, event);
      viewer.push(event);
    }
    viewer.end();
    const seen = await readAll(viewer);
    expect(sumUp(seen)).toEqual(sumUp(events));
    expect(seen.length).toBeLessThan(1_200);
  });

  it('ends for a reader that leaves while it waits, and calls onLeave once', async () => {
    let left = 0;
    const viewer = new Viewer({ events: [], after: undefined, onLeave: () => left++ });
    const waiting = viewer.next();
    await viewer.return();
    await viewer.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(left).toBe(1);
  });

  it('reports the failure after the events', async () => {
    const viewer = watch([]);
    viewer.push(...(emitAll(['a']) as [Event]));
    viewer.fail(new Error('gone'));
    expect((await viewer.next()).value).toMatchObject({ text: 'a' });
    await expect(viewer.next()).rejects.toThrow('gone');
  });

  it('delivers a long text in parts, each of which is a position to resume from', () => {
    const whole = '🥛x'.repeat(70_000);
    const [told] = emitAll([whole]);
    if (!told) throw new Error('nothing was told');
    const parts = eventsAfter([told], undefined);
    expect(parts.length).toBeGreaterThan(3);
    for (const [index, part] of parts.entries()) {
      expect(part).toMatchObject({ text: expect.toSatisfy((text: string) => text.isWellFormed()) });
      const before = sumUp(parts.slice(0, index + 1)).text;
      const rest = sumUp(eventsAfter([told], parsePosition(part.id))).text;
      expect(before + rest === whole).toBe(true);
    }
  });
});
