import { findQuantities } from '../../../language/quantities.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, SURE } from './candidate.ts';
import { type MessageValues, overlaps } from './values/message-values.ts';

/** The value that each argument has so far. */
export type Settled = Map<ArgumentProfile, Candidate>;

/** "3 coffees", "3 x coffee", "three cups of coffee", where the coffee is the value of another argument. */
export function countSettled(
  profiles: readonly ArgumentProfile[],
  { numbers, text }: MessageValues,
  settled: Settled,
): void {
  const counts = profiles.filter((profile) => !settled.has(profile) && isCount(profile));
  for (const profile of counts) {
    const quantity = numbers.find(({ at, length }) => {
      const [gap = ''] = /^(?:\s*x)?\s+(?:\w+\s+of\s+)?/i.exec(text.slice(at + length)) ?? [];
      const next = { at: at + length + gap.length, length: 1 };
      return gap !== '' && [...settled.values()].some((other) => other.length > 0 && overlaps(other, next));
    });
    if (quantity) settled.set(profile, { ...quantity, score: SURE.linked });
  }
}

/** "three of the linen shirts", where the shirts are the rest of the message. */
export function countRest(
  profiles: readonly ArgumentProfile[],
  { numbers, text }: MessageValues,
  settled: Settled,
): void {
  const count = profiles.find((profile) => !settled.has(profile) && isCount(profile));
  const rest = [...settled.values()].find(({ value, length }) => length === 0 && typeof value === 'string');
  if (!count || !rest) return;
  const at = text.indexOf(String(rest.value));
  const quantity = numbers.find((number) =>
    /^\s+(?:of (?:the|those|these)|more|extra|x|of)\s+$/i.test(text.slice(number.at + number.length, Math.max(0, at))),
  );
  if (quantity) settled.set(count, { ...quantity, score: SURE.linked });
}

/** "3 phone chargers": the number goes to the argument that counts, if there is one. */
export function takeCount(rest: string, profiles: readonly ArgumentProfile[], settled: Settled): string {
  const match =
    /^(\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?:x\s+|of (?:the|those|these|your)\s+)?(\D.+)$/i.exec(
      rest,
    );
  const count = profiles.find((profile) => !settled.has(profile) && isCount(profile));
  if (!match || !count) return rest;
  const value = Number(match[1]) || (findQuantities(match[1] ?? '')[0]?.value ?? 1);
  settled.set(count, { value, at: 0, length: 0, score: SURE.linked });
  return match[2] ?? rest;
}

function isCount({ kind, meaning }: ArgumentProfile): boolean {
  return kind === 'number' && /\b(?:amount|quantity|count|how many|number of|pieces|units)\b/.test(meaning);
}
