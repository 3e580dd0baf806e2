import type { Quantity } from '../../../language/quantities.ts';
import type { ArgumentProfile } from './argument-profile.ts';

/** The kind of thing that a number measures: a length of time is no price. */
type Measure = 'time' | 'money' | 'weight' | 'length' | 'volume' | 'heat' | 'share' | 'size';

const UNITS: readonly [measure: Measure, units: RegExp][] = [
  ['time', /^(?:second|sec|minute|min|hour|hr|h|day|night|week|month|year)s?$/],
  ['money', /^(?:euro|eur|dollar|usd|buck|pound|gbp|quid|franc|chf|yen|cent|price|cost|budget|fee|fare|€|\$)s?$/],
  ['weight', /^(?:kg|kilo|kilogram|g|gram|mg|milligram|lb|ounce|oz|tonne|weight|grams?)s?$/],
  ['length', /^(?:km|kilometer|kilometre|m|meter|metre|mile|mi|cm|mm|foot|feet|ft|inch|distance|radius)(?:e?s)?$/],
  ['volume', /^(?:l|liter|litre|ml|milliliter|millilitre|cup|gallon)s?$/],
  ['heat', /^(?:degree|celsius|fahrenheit|c|f|temperature|°)s?$/],
  ['share', /^(?:%|percent|percentage)$/],
  ['size', /^(?:px|pixel|mb|gb|kb)s?$/],
];

export function measureOf(words: readonly string[]): Measure | undefined {
  return UNITS.find(([, units]) => words.some((word) => units.test(word)))?.[0];
}

/** "Duration in minutes", "Minutes": the description says the unit if the name does not. */
function measuredBy({ words, meaning }: ArgumentProfile): Measure | undefined {
  const said = /\bin (?:degrees )?([a-z°%]+)\b|\. ([a-z%°]+)\.?$/.exec(meaning);
  return measureOf(words) ?? measureOf([said?.[1] ?? said?.[2] ?? '']);
}

/** True if the unit of a number is of another sort than the argument measures: "30 minutes" and `max_price`. */
export function isOtherMeasure({ unit, at }: Quantity, profile: ArgumentProfile, text: string): boolean {
  const said = measureOf([unit]) ?? (/[$€£]/.test(text[at] ?? '') ? 'money' : undefined);
  const own = measuredBy(profile);
  // A pound is money and a weight, and "a" counts nothing.
  return said !== undefined && own !== undefined && said !== own && !/^(?:pound|c|f|m|l|g|h)$/.test(unit);
}
