import { aliasesOf } from '../../../language/aliases.ts';
import { findCountry } from '../../../language/places.ts';
import { type CandidateReader, SURE } from './candidate.ts';
import { readTexts } from './read-text-argument.ts';

/** A country as its code or its name. */
export const readCountries: CandidateReader = (profile, values, options) => {
  const isCode = /\biso\b|alpha-2|two-letter|country code/.test(profile.meaning);
  const found = values.places.flatMap(({ at, length, said }) =>
    said === undefined ? [] : [{ text: said, at: at + length, length: 0 }],
  );
  const named = [...values.names, ...values.tokens].map(({ value, at, length }) => ({ text: value, at, length }));
  const candidates = [...found, ...named].flatMap(({ text, at, length }) => {
    const country = findCountry(text);
    return country ? [{ value: isCode ? country.code : country.name, at, length, score: SURE.shaped }] : [];
  });
  return candidates.length > 0
    ? candidates
    : readTexts(profile, values, options).filter(({ score }) => score > SURE.likely);
};

/** A language as its code, where the description asks for codes, or as it is said. */
export const readLanguages: CandidateReader = (profile, { text }) => {
  const isCode = /\bcodes?\b|\biso\b|bcp/.test(profile.meaning);
  const isSource = /^(?:src|source|from|input)$/.test(profile.words[0] ?? '');
  const isApart = isSource || profile.words.some((word) => /^(?:target|to|output|destination|into|dest)$/.test(word));
  const words = [...text.matchAll(/\b[A-Za-z][a-z]{3,}\b/g)].flatMap((match) => {
    const [code = ''] = [...aliasesOf(match[0])];
    return code.length === 2
      ? [{ value: isCode ? code : capital(match[0]), at: match.index, length: match[0].length }]
      : [];
  });
  return words.map((word) => {
    const isTo = /\b(?:to|into)\s+$/i.test(text.slice(0, word.at));
    return { ...word, score: isApart && isTo === isSource ? SURE.likely : SURE.shaped };
  });
};

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

const CURRENCY =
  /\b(?:(us|american|canadian|australian|hong kong|singapore|swiss|mexican|british|indian|japanese|chinese)\s+)?(dollars?|euros?|pounds?|yen|yuan|rupees?|francs?|pesos?|[A-Z]{3})\b/gi;
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ dollar: 'USD', euro: 'EUR', pound: 'GBP', yen: 'JPY', yuan: 'CNY', rupee: 'INR', franc: 'CHF', peso: 'MXN' },
  ...{ 'canadian dollar': 'CAD', 'australian dollar': 'AUD', 'hong kong dollar': 'HKD', 'singapore dollar': 'SGD' },
};

/** A currency as its code: the one after the amount is converted from, the one after "to" or "in" is converted to. */
export const readCurrencies: CandidateReader = ({ words }, { text, numbers }) => {
  const isTarget = words.some((word) => /^(?:to|target|destination|into)$/.test(word));
  const isSource = words.some((word) => /^(?:from|source|base)$/.test(word));
  return [...text.matchAll(CURRENCY)].flatMap((match) => {
    const [all, land = '', word = ''] = match;
    const name = word.toLowerCase().replace(/s$/, '');
    const isCode =
      /^[A-Z]{3}$/.test(word) && aliasesOf(word).size + Number(Object.values(CURRENCIES).includes(word)) > 0;
    const value = isCode ? word : (CURRENCIES[`${land.toLowerCase()} ${name}`] ?? CURRENCIES[name]);
    if (value === undefined) return [];
    const isCounted = numbers.some(
      ({ at, length }) => text.slice(at + length, match.index).trim() === '' && at < match.index,
    );
    const isTo = /\b(?:to|into|in)\s+$/i.test(text.slice(0, match.index));
    const isFrom = isCounted || /\bfrom\s+$/i.test(text.slice(0, match.index));
    const suits = isTarget ? isTo && !isFrom : isSource ? isFrom : true;
    return [{ value, at: match.index, length: all.length, score: suits ? SURE.shaped : SURE.likely }];
  });
};
