import type { Quantity } from '../../../language/quantities.ts';
import type { ArgumentProfile } from './argument-profile.ts';

/** The units of each measure and the words of arguments that take them. A pound is money and a weight. */
const MEASURES: readonly RegExp[] = [
  /^(?:second|sec|minute|mins?|hour|hr|day|night|week|month|year|duration)s?$/,
  /^(?:euro|eur|dollar|usd|buck|pound|gbp|quid|franc|chf|yen|cent|price|cost|budget|fee|fare|[$€£])s?$/,
  /^(?:kg|kilo|kilogram|gram|mg|milligram|lb|pound|ounce|oz|tonne|weight)s?$/,
  /^(?:km|kilomet(?:er|re)|met(?:er|re)|mile|cm|mm|foot|feet|ft|inche?|distance|radius)s?$/,
  /^(?:lit(?:er|re)|ml|millilit(?:er|re)|gallon|volume)s?$/,
  /^(?:degree|celsiu|fahrenheit|temperature|°)s?$/,
  /^(?:%|percent|percentage)$/,
  /^(?:px|pixel|kb|mb|gb)s?$/,
];

function measuresOf(words: readonly string[]): RegExp[] {
  return MEASURES.filter((units) => words.some((word) => units.test(word)));
}

/** True if the unit of a number is of another measure than the argument: "30 minutes" and `max_price`. */
export function isOtherMeasure({ unit, at }: Quantity, { words, meaning }: ArgumentProfile, text: string): boolean {
  const said = measuresOf([unit, text[at] ?? '']);
  // `price_per_night` is a price, and the first word of `min_price` is no minute.
  const named = words
    .join(' ')
    .replace(/ per .*|^min /, '')
    .split(' ');
  const byName = measuresOf(named);
  const own = byName.length > 0 ? byName : measuresOf([/\bin (?:degrees )?([a-z%]+)/.exec(meaning)?.[1] ?? '']);
  return said.length > 0 && own.length > 0 && !said.some((measure) => own.includes(measure));
}
