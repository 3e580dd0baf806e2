import { aliasesOf } from '../../../language/aliases.ts';
import type { Place } from '../../../language/places.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, overlaps, type Span, SURE } from './candidate.ts';
import { type Labels, labelsOf, nearLabel } from './near-label.ts';

const BEGIN = /^(?:origin|from|source|departure|start|base)$/;
const END = /^(?:destination|to|target|arrival|output|into|dest)$/;
const LED = /\b(?:in|at|near|around|for|to|from|of|visit(?:ing)?)\s+(?:the\s+|downtown\s+)?$/i;

/** The end of a way that an argument stands for. */
function endOf({ words }: ArgumentProfile): 'from' | 'to' | undefined {
  if (words.some((word) => BEGIN.test(word))) return 'from';
  return words.some((word) => END.test(word)) ? 'to' : undefined;
}

/** Places, known by name or capitalized after a preposition, written as the description asks. */
export const readPlaces: CandidateReader = (profile, values) => {
  const labels = labelsOf(profile, values.text);
  const { text, places } = values;
  const known = places.map((place) => {
    const { at, length } = place;
    return {
      value: formatPlace(profile, place),
      at,
      length,
      score: scorePlace(profile, text, { span: place, labels, base: SURE.described }),
    };
  });
  const others = [...values.names, ...values.quoted]
    .filter((name) => !places.some((place) => overlaps(place, name) && place.length >= name.length))
    .map(({ value, at, length }) => {
      const score = scorePlace(profile, text, { span: { at, length }, labels, base: SURE.left + 0.05 });
      return { value, at, length, score };
    });
  return [...known, ...others];
};

const SITE = /^(?:place|location|venue|where|city|town)$/;

function scorePlace(
  profile: ArgumentProfile,
  text: string,
  { span, labels, base }: { span: Span; labels: Labels; base: number },
): number {
  const before = text.slice(Math.max(0, span.at - 30), span.at);
  const end = endOf(profile);
  const way = /\b(?:(from)|(?:to|into))\s+(?:the\s+)?$/i.exec(before);
  const said = way && (way[1] ? 'from' : 'to');
  const isSite = profile.words.some((word) => SITE.test(word)) && /\b(?:in|at)\s+(?:the\s+)?$/i.test(before);
  return (
    Math.max(
      base + (LED.test(before) ? 0.12 : 0),
      isSite ? SURE.described + 0.02 : 0,
      said && said === end ? SURE.linked + 0.1 : 0,
      nearLabel(labels, text, span),
    ) - (said && said !== end ? 0.05 : 0)
  );
}

/** "City, State" gets the state's letters or the country, if the message or the table has them. */
function formatPlace({ meaning }: ArgumentProfile, { city, said, state, country }: Place): string {
  const isState = /city, ?state|, [a-z]{2}['")]|abbrev/.test(meaning);
  const isCountry = /country|, (?:uk|france|germany|south korea)/.test(meaning);
  const isWithRegion = isState || /city, ?country|'[a-z ]+, [a-z ]+'|state names? (?:must|should)/.test(meaning);
  const byState = isState && !(isCountry && country) ? (state ?? country) : undefined;
  const region = said ?? byState ?? country ?? (isCountry && state ? 'USA' : state);
  return isWithRegion && region !== undefined ? `${city}, ${region}` : city;
}

const CURRENCY =
  /\b(?:(us|american|canadian|australian|hong kong|singapore|swiss|mexican|british|indian|japanese|chinese)\s+)?(dollars?|euros?|pounds?|yen|yuan|rupees?|francs?|pesos?|[A-Z]{3})\b/gi;
const OTHER_DOLLARS: Readonly<Record<string, string>> = {
  ...{ canadian: 'CAD', australian: 'AUD', 'hong kong': 'HKD', singapore: 'SGD' },
};

/** A currency as its code: the one after the amount is converted from, the one after "to" or "in" is converted to. */
export const readCurrencies: CandidateReader = (profile, { text, numbers }) => {
  const end = endOf(profile);
  return [...text.matchAll(CURRENCY)].flatMap((match) => {
    const [all, land = '', word = ''] = match;
    const names = [...aliasesOf(word), ...aliasesOf(`${word}s`)].filter((name) => /^[a-z]{3}$/.test(name));
    const code = (/dollar/i.test(word) ? OTHER_DOLLARS[land.toLowerCase()] : undefined) ?? names[0]?.toUpperCase();
    const value = /^[A-Z]{3}$/.test(word) && Object.values(OTHER_DOLLARS).includes(word) ? word : code;
    if (value === undefined) return [];
    const before = text.slice(0, match.index);
    const isCounted = numbers.some(({ at, length }) => at < match.index && before.slice(at + length).trim() === '');
    const said =
      isCounted || /\bfrom\s+$/i.test(before) ? 'from' : /\b(?:to|into|in)\s+$/i.test(before) ? 'to' : undefined;
    const score = end === undefined || end === said ? SURE.shaped : SURE.likely;
    return [{ value, at: match.index, length: all.length, score }];
  });
};
