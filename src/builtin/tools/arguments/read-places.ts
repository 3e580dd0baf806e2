import { isActionVerb } from '../../../language/action-verbs.ts';
import type { Place } from '../../../language/places.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { type Labels, labelsOf, nearLabel } from './near-label.ts';
import { readAddress } from './read-address.ts';
import { ROLES, readNamed, roleScore } from './read-text-argument.ts';
import type { Found } from './values/found.ts';
import type { MessageValues } from './values/message-values.ts';

/** Places, known by name or capitalized after a preposition, written as the description asks. */
export const readPlaces: CandidateReader = (profile, values, { all }) => {
  const labels = labelsOf(profile, values.text);
  const { text, places } = values;
  const isApart = all.some(
    (other) => other !== profile && other.words.some((word) => /^(?:country|state|region)$/.test(word)),
  );
  const known = places.map((place) =>
    scorePlace(profile, text, {
      part: isApart ? { at: place.at, length: place.city.length } : place,
      value: formatPlace(profile, place),
      labels,
      base: SURE.described,
    }),
  );
  const inside = (name: Found) =>
    places.some(
      (place) => name.at < place.at + place.length && place.at < name.at + name.length && place.length >= name.length,
    );
  const others = [...values.names, ...values.quoted]
    .filter((name) => !inside(name))
    .map((name) => scorePlace(profile, text, { part: name, value: name.value, labels, base: SURE.left + 0.05 }));
  return [
    ...readAddress(profile, values),
    ...known,
    ...others,
    ...readPlainPlace(profile, values),
    ...readNamed(profile, values),
  ];
};

const SITE = /\b(?:place|location|venue|where|city|town)\b/;

interface PlaceParts {
  part: { at: number; length: number };
  value: string;
  labels: Labels;
  base: number;
}

function scorePlace(profile: ArgumentProfile, text: string, { part, value, labels, base }: PlaceParts): Candidate {
  const before = text.slice(Math.max(0, part.at - 30), part.at);
  const role = roleScore(profile, text, { ...part, value });
  const isOther = ROLES.some(
    ([name, lead]) => lead.test(before) && /from|to\|into/.test(lead.source) && !name.test(profile.words.join(' ')),
  );
  const led = /\b(?:in|at|near|around|for|to|from|of|visit(?:ing)?)\s+(?:the\s+|downtown\s+)?$/i.test(before)
    ? 0.12
    : 0;
  const exact = /\bas\s+the\s+(?:exact|city)/i.test(text.slice(part.at + part.length, part.at + part.length + 20))
    ? 0.2
    : 0;
  const isSite =
    base < SURE.likely && SITE.test(profile.words.join(' ')) && /\b(?:in|at)\s+(?:the\s+)?$/i.test(before)
      ? SURE.described + 0.02
      : 0;
  const near = nearLabel(labels, text, part);
  const score =
    Math.max(base + led + exact, isSite, role === 0 ? 0 : role + 0.1, near) - (isOther && role === 0 ? 0.05 : 0);
  return { value, at: part.at, length: part.length, score };
}

/** "in mountain view" in small letters, where the message names no known place. */
function readPlainPlace({ words, isRequired }: ArgumentProfile, { text, places, names }: MessageValues): Candidate[] {
  const link = words.some((word) => /^(?:origin|from|source|start)$/.test(word))
    ? 'from'
    : words.some((word) => /^(?:destination|to)$/.test(word))
      ? 'to'
      : 'in|at|near|for';
  const isWay = link === 'to' || link === 'from';
  // A name elsewhere may be the other end of the way: "from Main Street 4 to the airport".
  if (!isRequired || (!isWay && (places.length > 0 || names.length > 0))) return [];
  const match = new RegExp(
    String.raw`\b(?:${link})\s+(?:the\s+)?([a-z][\w' -]*?)(?=\s+(?:to|from|on|at|for|with|and|by|in|tomorrow|today|next|this|please)\b|[?.!,]|$)`,
    'i',
  ).exec(text);
  const value = match?.[1]?.trim();
  // "used to be punctual" leads to no place.
  const isVerb = isActionVerb(splitWords(value ?? '')[0] ?? '');
  if (!match || !value || isVerb || /^(?:me|us|my|the|a|an|you|it|him|her|them)\b/i.test(value)) return [];
  return [
    {
      value,
      at: match.index + match[0].indexOf(value),
      length: value.length,
      score: isWay ? SURE.likely - 0.04 : SURE.left,
    },
  ];
}

/** "City, State" gets the state's letters or the country, if the message or the table has them. */
function formatPlace({ meaning }: ArgumentProfile, { city, said, state, country }: Place): string {
  const isWithRegion =
    /city, ?(?:state|country)|, [a-z]{2}['")]|'[a-z ]+, [a-z ]+'|state names? (?:must|should)|abbrev/.test(meaning);
  if (!isWithRegion) return city;
  const isState = /city, ?state|, [a-z]{2}['")]|abbrev/.test(meaning);
  const isCountry = /country|, (?:uk|france|germany|south korea)/.test(meaning);
  const region =
    said ??
    (isState && !(isCountry && country) ? (state ?? country) : (country ?? (isCountry && state ? 'USA' : state)));
  return region === undefined ? city : `${city}, ${region}`;
}
