import type { ColumnFormat } from '../../src/schema/column-format.ts';
import type { Json } from '../api/shapes.ts';

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const UP_TO_TWO = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const TWO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const UP_TO_ONE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const CENTS_BELOW = 1000;

/** A cell in the same words as in answers; a test compares it with the server's function. */
export function formatValue(value: Json | undefined, format?: ColumnFormat): string {
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

/** `abandonment_rate` as "Abandonment rate". */
export function formatName(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
