import * as z from 'zod';
import type { Json } from './json.ts';

/** How the values of a column are displayed. */
export const ColumnFormat = z.enum(['percent', 'money', 'number', 'text']);
export type ColumnFormat = z.infer<typeof ColumnFormat>;

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const UP_TO_TWO = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const TWO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const UP_TO_ONE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
/** Larger amounts are shown without cents. */
const CENTS_BELOW = 1000;

/** Formats a value for display: 0.253 as 25.3%, 1234.5 as $1,235, 1234 as 1,234. */
export function formatCell(value: Json | undefined, format?: ColumnFormat): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (format === 'percent') return `${UP_TO_ONE.format(value * 100)}%`;
  if (format === 'money') return `${value < 0 ? '-' : ''}$${formatMoney(Math.abs(value))}`;
  if (format === 'text') return String(value);
  return UP_TO_TWO.format(value);
}

function formatMoney(value: number): string {
  return value >= CENTS_BELOW || Number.isInteger(value) ? WHOLE.format(value) : TWO.format(value);
}
