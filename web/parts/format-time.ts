import { STRINGS } from '../strings.ts';

/** A duration as people compare it: 4 ms, 0.3 s, 12 s. */
export function formatDuration(ms: number): string {
  if (ms < 100) return STRINGS.milliseconds(Math.round(ms));
  return STRINGS.seconds(ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000).toLocaleString('en-US'));
}

/** A bare date has no zone and is shown as it is; an instant is shown in the reader's zone. */
export function formatDue(due: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(due);
  const date = new Date(isDay ? `${due}T00:00:00Z` : due);
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (isDay) return date.toLocaleDateString('en-GB', { ...day, timeZone: 'UTC' });
  return date.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit' });
}
