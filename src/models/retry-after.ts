/** Reads the seconds of a Retry-After header, given as a number or a date. Undefined if it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) || !/[a-z]/i.test(text) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}
