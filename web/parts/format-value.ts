import type { ColumnFormat } from '../../src/schema/column-format.ts';
import type { Json } from '../api/shapes.ts';

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
