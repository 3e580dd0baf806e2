import type { AuditedPart, Finding } from './finding.ts';

/** Question words and the units that fit them. */
const RULES: readonly { says: RegExp; fits(unit: Unit): boolean; text: string }[] = [
  {
    says: /\bhow many\b|(?<!\b(?:average|avg|mean) )\bnumber of\b/i,
    fits: ({ unit, isAverage }) => !['usd', 'percent', 'stars'].includes(unit) && !isAverage,
    text: '"how many" asks for a number of things',
  },
  {
    says: /\bhow much\b(?! of\b)/i,
    fits: ({ unit, isCount, isAverage, saysAverage }) => !isCount && unit !== 'percent' && (!isAverage || saysAverage),
    text: '"how much" asks for an amount',
  },
  {
    says: /\b(?:most|fewest|fewer)\s+(?!of\b)\w+s\b/i,
    fits: ({ isAverage }) => !isAverage,
    text: '"most" of countable things asks for a number of them',
  },
  {
    says: /\bhow long\b|\b(?:longest|shortest)\b/i,
    fits: ({ unit }) => unit === 'days',
    text: 'a duration is asked for',
  },
  {
    says: /(?<!\d\s?)\b(?:dollars?|usd)\b|\bmoney\b|\$\s?(?!\d)/i,
    fits: ({ unit }) => unit === 'usd',
    text: 'money is asked for',
  },
  {
    says: /^(?!.*\b(?:units?|pieces?|quantity|levels?|on.hand|number|how many)\b)/i,
    fits: ({ hasValue }) => !hasValue,
    text: 'it may be asked for in units or as a value',
  },
];

interface Unit {
  unit: string;
  isCount: boolean;
  isAverage: boolean;
  saysAverage: boolean;
  /** Whether the same things are also measured as a value in money. A single product is counted in units. */
  hasValue: boolean;
}

/** Checks that the question word fits the kind of figure. Its rules share nothing with the reading of the question. */
export function checkAgreement(text: string, parts: readonly AuditedPart[]): Finding[] {
  const saysAverage = /\b(?:average|mean|avg|per)\b/i.test(text);
  const units = parts.flatMap(({ query, model }) =>
    query.measures.map(({ name, among }): Unit => {
      const measure = model.measures.get(name);
      const isShare = query.share !== 'none';
      const isEntity = (dimension: string) => model.dimensions.get(dimension)?.entity !== undefined;
      return {
        unit: isShare ? 'percent' : (measure?.unit ?? ''),
        isCount: measure?.isRowCount === true || among !== null,
        isAverage: measure?.kind === 'average' && query.per === null,
        saysAverage,
        hasValue:
          model.measures.has(`${name} value`) &&
          query.dimensions.length === 0 &&
          !query.order &&
          !query.filters.some(({ dimension }) => isEntity(dimension)),
      };
    }),
  );
  const [first] = units;
  if (!first) return [];
  return RULES.filter(({ says, fits }) => says.test(text) && !units.some(fits)).map(({ text: reason }) => ({
    level: 'unsure',
    text: reason,
  }));
}
