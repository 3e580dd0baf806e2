/** Wall-clock time in a zone, without a library: days are counted as UTC midnights. */

export interface Zone {
  now: Date;
  timezone: string;
  /** Minutes that the zone is ahead of UTC now. */
  offset: number;
}

export function createZone({ now, timezone }: { now: Date; timezone: string }): Zone {
  return { now, timezone, offset: offsetMinutes(now, timezone) };
}

/** Minutes that the zone is ahead of UTC at an instant. */
function offsetMinutes(instant: Date, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((wall - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
}

/** The user's day now, as `YYYY-MM-DD`. */
export function today({ now, offset }: Zone): string {
  return new Date(now.getTime() + offset * 60_000).toISOString().slice(0, 10);
}

/** The user's time of day now, as `HH:MM`. */
export function clockNow({ now, offset }: Zone): string {
  return new Date(now.getTime() + offset * 60_000).toISOString().slice(11, 16);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** 0 is Monday. */
export function weekday(day: string): number {
  return (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
}

/** An instant given by its wall clock, with the zone's offset at that time: `2026-11-16T15:00:00+01:00`. */
export function withOffset(day: string, hour: number, minute: number, timezone: string): string {
  const wall = Date.parse(day) + (hour * 60 + minute) * 60_000;
  const guess = offsetMinutes(new Date(wall), timezone);
  const offset = offsetMinutes(new Date(wall - guess * 60_000), timezone);
  return `${new Date(wall).toISOString().slice(0, 19)}${formatOffset(offset)}`;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
