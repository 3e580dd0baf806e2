/** Formats a duration: 4 ms, 0.2 s, 12 s. */
export function showDuration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** Formats the time of day. */
export function showClock(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date);
}
