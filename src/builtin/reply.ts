import { addDays, today, type Zone } from '../language/zoned-time.ts';

/**
 * Fills a reply template: `{name}` is a value, and a part in square brackets is left out if one of its values is
 * missing. A missing value outside brackets becomes empty.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
  const withParts = template.replace(/\[([^[\]]*\{\w+\}[^[\]]*)\]/g, (_, part: string) =>
    names(part).every((name) => values[name] !== undefined) ? part : '',
  );
  return fill(withParts).trim();
}

const DAY_FORMAT = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** A due date in everyday words: "tomorrow", "Fri 20 Nov", "tomorrow at 15:00". */
export function describeDue(due: string, zone: Zone): string {
  const day = due.slice(0, 10);
  const time = /T(\d{2}:\d{2})/.exec(due)?.[1];
  return time === undefined ? describeDay(day, today(zone)) : `${describeDay(day, today(zone))} at ${time}`;
}

function describeDay(day: string, now: string): string {
  if (day === now) return 'today';
  if (day === addDays(now, 1)) return 'tomorrow';
  if (day === addDays(now, -1)) return 'yesterday';
  const parts = new Intl.DateTimeFormat('en-GB', DAY_FORMAT).format(Date.parse(day)).replace(',', '');
  return day.slice(0, 4) === now.slice(0, 4) ? parts : `${parts} ${day.slice(0, 4)}`;
}

/** "'a', 'b' or 'c'". */
export function quoteAll(titles: readonly string[], link: 'and' | 'or'): string {
  const quoted = titles.map((title) => `'${title}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${link} ${last}`;
}
