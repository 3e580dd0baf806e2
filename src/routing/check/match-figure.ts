import { type ColumnFormat, formatCell, isMoney } from '../../schema/column-format.ts';
import type { Json } from '../../schema/json.ts';
import type { Figure } from './find-figures.ts';

const SHARE_NAME = /(?:percent|pct|rate|share|ratio|proportion|margin|%)/i;
const COUNT_NAME =
  /(?:count|units?|orders|customers|reviews|days|carts|number|stock|id|amount|revenue|value|price|cost|spent)$/i;
/** Smaller numbers are not rounded to whole ones unless the text says so ("about"). */
const LEAST_ROUNDED = 10;

/** True if a figure is this value in a usual notation: rounded, in percent, with separators or in millions. */
export function isSameValue(
  figure: Figure,
  value: Json,
  column: { name: string; format?: ColumnFormat | undefined },
): boolean {
  if (typeof value === 'string') return isSameText(figure, value);
  if (typeof value !== 'number') return false;
  if (formatCell(value, column.format) === figure.text) return true;
  if (figure.kind !== 'percent') {
    if (figure.kind === 'money' && column.format === 'percent') return false;
    return isNear(figure, value);
  }
  const isRatio = Math.abs(value) <= 1.5 && !isMoney(column.format) && !COUNT_NAME.test(column.name);
  if (isRatio && isNear(figure, value * 100)) return true;
  if (column.format === 'percent') return isNear(figure, value * 100);
  return (SHARE_NAME.test(column.name) || !COUNT_NAME.test(column.name)) && isNear(figure, value);
}

/** "25%" in a cell is 25 percent; "1,234" is a number. */
function isSameText(figure: Figure, text: string): boolean {
  const match = /^\s*\p{Sc}?\s?(-?\d[\d,]*(?:\.\d+)?)\s*(%|percent)?\s*$/iu.exec(text);
  if (!match || (figure.kind === 'percent') !== (match[2] !== undefined)) return false;
  return isNear(figure, Number(String(match[1]).replaceAll(',', '')));
}

export function isNear(figure: Figure, value: number): boolean {
  const distance = Math.abs(figure.value - value);
  if (distance <= 1e-9 * Math.max(1, Math.abs(value))) return true;
  if (figure.rounded) return isRoundedTo(figure, value);
  const isWhole = Number.isInteger(figure.value) && figure.tolerance === 0.5;
  // Only a value with a fraction can be rounded to a whole number; whole values must match exactly.
  if (isWhole && (Number.isInteger(value) || (Math.abs(value) < LEAST_ROUNDED && figure.kind === 'plain')))
    return false;
  return distance <= figure.tolerance * (1 + 1e-9);
}

/** "About 1,200" may be 1,187; "over 1,000" may be 1,089, but not 4,000. */
function isRoundedTo(figure: Figure, value: number): boolean {
  const zeros = /0*$/.exec(String(Math.abs(Math.round(figure.value))))?.[0].length ?? 0;
  const unit = Math.max(2 * figure.tolerance, 10 ** zeros);
  if (figure.rounded === 'near')
    return Math.abs(figure.value - value) <= unit / 2 || Math.abs(figure.value - value) <= 0.05 * Math.abs(value);
  const over = figure.rounded === 'up' ? value - figure.value : figure.value - value;
  return over >= 0 && over <= Math.max(unit, 0.1 * Math.abs(figure.value));
}
