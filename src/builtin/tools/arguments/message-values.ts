import { findPlaces } from '../../../language/places.ts';
import { findQuantities } from '../../../language/quantities.ts';
import { findTokens } from '../../../language/tokens.ts';
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
  const tokens = findTokens(open);
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
    numbers: findQuantities(open).filter(
      (number) => outside(number) || (TIME_UNIT.test(number.unit) && !tokens.some((token) => overlaps(token, number))),
    ),
    names,
  };
}

function blank(text: string, { at, length }: Span): string {
  return text.slice(0, at) + '·'.repeat(length) + text.slice(at + length);
}

const TIME_UNIT = /^(?:second|sec|minute|min|hour|hr|day|night|week|month|year|decade)$/;
