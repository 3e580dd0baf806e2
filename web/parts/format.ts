import type { ColumnFormat } from '../../src/schema/column-format.ts';
import type { Json } from '../api/shapes.ts';
import { STRINGS } from '../strings.ts';

const UP_TO_TWO = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const UP_TO_ONE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const CENTS_BELOW = 1000;

/** A cell in the same words as in answers; a test compares it with the server's function. */
export function formatValue(value: Json | undefined, format?: ColumnFormat): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (format === 'percent') return `${UP_TO_ONE.format(value * 100)}%`;
  if (format !== undefined && /^(?:money|[A-Z]{3})$/.test(format)) return formatMoney(value, format);
  if (format === 'text') return String(value);
  return UP_TO_TWO.format(value);
}

function formatMoney(value: number, format: ColumnFormat): string {
  const isWhole = Math.abs(value) >= CENTS_BELOW || Number.isInteger(value);
  const digits = isWhole ? { maximumFractionDigits: 0 } : {};
  if (format !== 'money') {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency: format, ...digits }).format(value);
  }
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: isWhole ? 0 : 2,
    maximumFractionDigits: isWhole ? 0 : 2,
  }).format(value);
}

/** `abandonment_rate` as "Abandonment rate". */
export function formatName(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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

/** A cost for people, such as $0.0042: never rounded to nothing. */
export function formatCost(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars >= 0.0001 ? dollars.toFixed(4) : dollars.toPrecision(2)}`;
}

const LONGEST = 200;
/** Marks that change the direction of text, and characters that cannot be seen. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name from outside (file, title, tool, domain) as one line that shows what it is. */
export function cleanName(name: string): string {
  const clean = name.replace(HIDDEN, '').trim();
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1)}…` : clean;
}
