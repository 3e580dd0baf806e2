import { findPlaces } from '../../../language/places.ts';
import { findQuantities, type Quantity } from '../../../language/quantities.ts';
import { findTokens, type Token } from '../../../language/tokens.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { type MessageValues, overlaps, type Span } from './candidate.ts';
import { findNames } from './find-names.ts';
import { findTimes } from './find-times.ts';

const QUOTED = /"([^"]+)"|`([^`]+)`|(?<=^|[\s(:,=[])'([^']+(?:'(?:s|t|re|ll|ve|d)\b[^']*)*)'(?=$|[\s.,!?;:)\]])/g;
/** Reads every value of a message once. */
export function readMessageValues(text: string, zone: Zone): MessageValues {
  const quoted = [...text.matchAll(QUOTED)].map((match) => ({
    value: match[1] ?? match[2] ?? match[3] ?? '',
    at: match.index,
    length: match[0].length,
  }));
  const open = quoted.reduce((rest, part) => blank(rest, part), text);
  const tokens = findPhones(open);
  const plain = tokens.reduce((rest, part) => (part.kind === 'code' ? rest : blank(rest, part)), open);
  const moments = findTimes(plain, zone);
  const names = findNames(open).filter((name) => !moments.some((moment) => overlaps(moment, name)));
  const streets = names.filter(({ value }) => /^\d/.test(value));
  const outside = (part: Span) => ![...quoted, ...tokens, ...moments, ...streets].some((one) => overlaps(one, part));
  return {
    text,
    quoted,
    tokens: tokens.filter((token) => !moments.some((moment) => overlaps(moment, token))),
    moments,
    places: findPlaces(open),
    numbers: [
      ...numbersOf(tokens),
      ...findQuantities(open).filter(
        (number) =>
          outside(number) || (TIME_UNIT.test(number.unit) && !tokens.some((token) => overlaps(token, number))),
      ),
    ],
    names,
  };
}

/** The tokens, and numbers of telephones as one of them: "030 5551234". */
function findPhones(text: string): Token[] {
  const phones = [...text.matchAll(PHONE)].map((match) => ({
    kind: 'code' as const,
    value: match[0],
    at: match.index,
    length: match[0].length,
  }));
  const others = findTokens(text).filter((token) => !phones.some((phone) => overlaps(phone, token)));
  return [...phones, ...others].sort((a, b) => a.at - b.at);
}

const PHONE = /(?<![\w.:-])(?:\+\d{1,3}|0\d{1,5})(?:[\s/-]\d{2,9}){1,4}(?![\w:.-]*\d)/g;

/** "#88" is a number where one is asked for. */
function numbersOf(tokens: readonly Token[]): Quantity[] {
  return tokens
    .filter(({ value }) => /^#\d+$/.test(value))
    .map(({ value, at, length }) => ({ value: Number(value.slice(1)), at, length, unit: '', isWord: false }));
}

function blank(text: string, { at, length }: Span): string {
  return text.slice(0, at) + '·'.repeat(length) + text.slice(at + length);
}

const TIME_UNIT = /^(?:second|sec|minute|min|hour|hr|day|night|week|month|year|decade)$/;
