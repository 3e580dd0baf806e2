import type { ColumnFormat } from '../../src/schema/column-format.ts';
import { formatValue } from '../parts/format.ts';

const STEPS = [1, 2, 5, 10];
/** Ticks from here on are shortened: 250K, 1.5M. */
const COMPACT_FROM = 10_000;
/** Sums of steps such as 0.1 are cut to this precision. */
const DIGITS = 12;

interface TickOptions {
  /** The highest number of steps on the axis. */
  most: number;
  /** Counts have no ticks between whole numbers. */
  isWhole: boolean;
}

/** Round numbers that enclose all values and zero, in ascending order. */
export function valueTicks(values: readonly number[], { most, isWhole }: TickOptions): number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const step = low === high ? 1 : roundStep(low, high, { most, isWhole });
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(DIGITS)));
}

/** The smallest round step that encloses the values in at most `most` steps. */
function roundStep(low: number, high: number, { most, isWhole }: TickOptions): number {
  const limit = Math.max(most, low < 0 && high > 0 ? 2 : 1);
  for (let power = 10 ** Math.floor(Math.log10((high - low) / limit)); ; power *= 10) {
    const fit = STEPS.map((factor) => factor * power).find(
      (step) => Math.ceil(high / step) - Math.floor(low / step) <= limit && !(isWhole && step < 1),
    );
    if (fit !== undefined) return fit;
  }
}

/** A tick in few characters: $250K, 15%, 0.5. */
export function formatTick(value: number, format?: ColumnFormat): string {
  if (format === 'percent' || Math.abs(value) < COMPACT_FROM) return formatValue(value, format);
  const currency =
    format !== undefined && /^[A-Z]{3}$/.test(format) ? { style: 'currency' as const, currency: format } : {};
  return new Intl.NumberFormat('en-US', { ...currency, notation: 'compact', maximumFractionDigits: 2 }).format(value);
}
