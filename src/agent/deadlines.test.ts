import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { AgentFile } from '../schema/agent.ts';
import { timeLimits } from '../schema/model-limits.ts';
import { createDeadlines, timedSignal } from './deadlines.ts';
import { createZones } from './time-zone.ts';

const limits = timeLimits(AgentFile.parse({ name: 'a', instructions: 'Help.' }));
const late = () => new AppError('model_timeout', { detail: 'Late.' });

describe('createDeadlines', () => {
  it('gives tools 50 s and stops them at 55 s, and a reply 30 s and stops it at 59 s', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines({ clock, limits, activeMs: 0 });
    const left = () => [deadlines.iterationMs(), deadlines.toolMs()].map(Math.round);
    expect(left()).toEqual([30_000, 50_000]);
    await clock.advance(40_000);
    expect(left()).toEqual([19_000, 15_000]);
    await clock.advance(15_000);
    expect(left()).toEqual([4_000, 0]);
    await clock.advance(10_000);
    expect(left()).toEqual([0, 0]);
  });

  it('counts what was spent before a wait, and nothing while it is paused', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines({ clock, limits, activeMs: 10_000 });
    const goOn = [deadlines.pause(), deadlines.pause()];
    await clock.advance(500_000);
    expect(deadlines.activeMs()).toBe(10_000);
    goOn[0]?.();
    await clock.advance(500_000);
    goOn[1]?.();
    await clock.advance(1_000);
    expect(deadlines.activeMs()).toBe(11_000);
  });
});

describe('timedSignal', () => {
  it("aborts with the parent's reason, or with its own code after the time", async () => {
    const clock = createFakeClock();
    const parent = new AbortController();
    const followed = timedSignal({ parent: parent.signal, clock, ms: 100, late });
    const timed = timedSignal({ parent: new AbortController().signal, clock, ms: 100, late });
    parent.abort('stop');
    await clock.advance(100);
    expect(followed.signal.reason).toBe('stop');
    expect(timed.signal.reason).toMatchObject({ code: 'model_timeout' });
  });

  it('leaves no timer behind', () => {
    const clock = createFakeClock();
    timedSignal({ parent: new AbortController().signal, clock, ms: 100, late }).dispose();
    expect(clock.waiting).toBe(0);
  });
});

const now = new Date('2026-11-15T09:05:00Z');

describe('createZones', () => {
  it('writes an instant in a zone by name', () => {
    expect(createZones()('Asia/Kolkata').write(now)).toBe('Sunday, 15 November 2026 at 14:35 (Asia/Kolkata)');
  });

  it("writes it in the machine's own zone as that zone writes it by name", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const named = createZones()(timeZone).write(now);
    const own = createZones()().write(now);
    expect(own.replace(/ \(UTC[+-]\d\d:\d\d\)$/, '')).toBe(named.replace(` (${timeZone})`, ''));
  });
});
