import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, SURE } from './candidate.ts';
import type { MessageValues } from './values/message-values.ts';

type Part = 'street' | 'postcode' | 'city';

/** "Birkenweg 14, 24105 Kiel" and "7 Elm Road, Bristol BS1 4ND". */
const FORMS: readonly RegExp[] = [
  /(?<street>\p{Lu}[\p{L}.'-]+(?:\s\p{Lu}[\p{L}.'-]+)*\s\d{1,4}[a-z]?),?\s+(?<postcode>\d{4,5})\s+(?<city>\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)*)/u,
  /(?<street>\d{1,5}[a-z]?\s\p{Lu}[\p{L}.'-]+(?:\s\p{Lu}[\p{L}.'-]+)*),?\s+(?<city>\p{Lu}[\p{L}-]+),?\s+(?<postcode>[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|\d{5})/u,
];

/** The part of a postal address that an argument asks for. */
export function readAddress({ words }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const part = partOf(words);
  if (part === undefined) return [];
  return FORMS.flatMap((form) => {
    const match = form.exec(text);
    const value = match?.groups?.[part];
    if (!match || value === undefined) return [];
    return [{ value, at: match.index + match[0].indexOf(value), length: value.length, score: SURE.named }];
  }).slice(0, 1);
}

function partOf(words: readonly string[]): Part | undefined {
  if (words.includes('street')) return 'street';
  if (words.some((word) => /^(?:postcode|postal|zip|zipcode|plz)$/.test(word))) return 'postcode';
  return words.includes('city') || words.includes('town') ? 'city' : undefined;
}
