import * as z from 'zod';
import type { Json } from './json.ts';

/** Currencies are ISO 4217 codes. `money` is an amount whose currency is unknown. */
const CURRENCY = /^[A-Z]{3}$/;

/** How the values of a column are displayed. */
export const ColumnFormat = z.union([
  z.enum(['percent', 'money', 'number', 'text']),
  z.string().regex(CURRENCY, 'must be percent, money, number, text or the code of a currency, such as EUR'),
]);
export type ColumnFormat = z.infer<typeof ColumnFormat>;

const UP_TO_TWO = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const UP_TO_ONE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
/** Larger amounts are shown without cents. */
const CENTS_BELOW = 1000;

/** Formats a value for display: 0.253 as 25.3%, 1234.5 in EUR as €1,235, 1234 as 1,234. */
export function formatCell(value: Json | undefined, format?: ColumnFormat): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (format === 'percent') return `${UP_TO_ONE.format(value * 100)}%`;
  if (isMoney(format)) return formatMoney(value, format);
  if (format === 'text') return String(value);
  return UP_TO_TWO.format(value);
}

export function isMoney(format: ColumnFormat | undefined): format is ColumnFormat {
  return format === 'money' || CURRENCY.test(format ?? '');
}

/** True for a code of ISO 4217. Other units have three capital letters too, such as KWH. */
export function isCurrency(unit: string): boolean {
  return Intl.supportedValuesOf('currency').includes(unit);
}

export function isColumnFormat(value: Json | undefined): value is ColumnFormat {
  return ColumnFormat.safeParse(value).success;
}

/** The short sign of a currency, such as $ for USD and CAD; the code where it has none. */
export function signOf(code: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
}

/** Formatters by currency and decimals: making one takes a hundred times as long as using it. */
const MONEY = new Map<string, Intl.NumberFormat>();

function formatMoney(value: number, format: ColumnFormat): string {
  const isWhole = Math.abs(value) >= CENTS_BELOW || Number.isInteger(value);
  const key = `${format}${isWhole ? 0 : ''}`;
  const formatter = MONEY.get(key) ?? moneyFormatter(format, isWhole);
  MONEY.set(key, formatter);
  return formatter.format(value);
}

/** Decimals are those of the currency: yen have none. */
function moneyFormatter(format: ColumnFormat, isWhole: boolean): Intl.NumberFormat {
  const digits = isWhole ? { maximumFractionDigits: 0 } : {};
  if (format !== 'money') return new Intl.NumberFormat('en-US', { style: 'currency', currency: format, ...digits });
  const decimals = isWhole ? 0 : 2;
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
