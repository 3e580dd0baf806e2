import { oppositeOf, poleOf } from '../../../language/aliases.ts';
import { stripPoliteness } from '../../../language/clean-text.ts';
import { stem } from '../../../language/words.ts';
import { actionsOf } from '../actions.ts';
import { enumOf, splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';

const DENIAL =
  /\b(?:no|not|non|without|don't|doesn't|shouldn't|isn't|exclude|excluding|except|disable|skip|omit|never|n't)\b/i;
const EMPTY =
  /^(?:is|are|has|have|include|includes|included|enable|enabled|use|get|show|with|in|should|be|can|may|flag|the|for|on|off|allow|allowed|accepts?|accepted|apply|keep|only|needs?|needed|wants?|wanted|requires?|required|service|services|options?|available)$/;
const REACH = 25;

/** Yes or no: by the argument's words in the message, or by a verb with an opposite ("unlock", "turn off"). */
export const readFlag: CandidateReader = (profile, { text }, { context }) => {
  const said =
    byDescription(profile, text) ?? byVerb(profile, text) ?? byWords(profile, text) ?? bySynonym(profile, text);
  if (said !== undefined) return [{ value: toValue(profile, said), at: 0, length: 0, score: SURE.shaped }];
  const hinted = byHint(profile, text);
  // "German subtitles please" asks to switch them on.
  if (
    hinted === undefined &&
    profile.isRequired &&
    profile.words.join() === 'on' &&
    isAskedFor(text, context.about ?? [])
  )
    return [{ value: toValue(profile, true), at: 0, length: 0, score: SURE.likely }];
  return hinted === undefined
    ? []
    : [{ value: toValue(profile, hinted), at: 0, length: 0, score: SURE.described - 0.02 }];
};

/** A thing without a verb: "German subtitles please". */
function isAskedFor(text: string, about: readonly string[]): boolean {
  const words = splitWords(stripPoliteness(text));
  return (
    about.some((thing) => stem(words.at(-1) ?? '') === stem(thing)) &&
    words.length < 4 &&
    actionsOf(words).size === 0 &&
    !DENIAL.test(text)
  );
}

const LEAST_HINT = 6;
const VAGUE =
  /^(?:inform|assist|detail|display|search|result|perform|provid|topic|avail|specif|current|request|option|return|servic|custom|number|person|message|product|restaurant|hotel|ticket|should|please)/;
/** Other words for what a yes or no is about. */
const SYNONYMS: readonly [name: RegExp, said: RegExp][] = [
  [
    /\bunisex\b/,
    /\bboth (?:men|women|genders|sexes)|\b(?:men|women)(?:'s)? and (?:wo)?men\b|\b(?:his|him) and (?:hers|her)\b/i,
  ],
  [/\bpets?\b/, /\b(?:dogs?|cats?|puppy|pets?)\b/i],
  [/\bwifi\b|\bwi fi\b/, /\b(?:wi-?fi|internet|wireless)\b/i],
  [/\b(?:outdoors?|outside)\b/, /\b(?:outside|outdoors?|patio|terrace|al fresco)\b/i],
  [/\balcohol\b/, /\b(?:alcohol|beer|wine|drinks|cocktails)\b/i],
  [/\b(?:kids|children|child)\b/, /\b(?:kids?|child(?:ren)?|toddlers?|family[- ]friendly)\b/i],
  [/\b(?:nonstop|direct)\b/, /\b(?:non-?stop|direct flights?)\b/i],
  [/\brecursive\b/, /\b(?:recursive(?:ly)?|sub-?(?:directories|folders)|subdirs)\b/i],
  [/\bfree\b/, /\b(?:free (?:entry|entrance|admission|of charge)|no (?:entry )?fee)\b/i],
  [/\bvegetarian\b/, /\b(?:vegetarian|veggie|meatless)\b/i],
  [/\b(?:electricity|power)\b/, /\b(?:with (?:power|electricity)|power|electric(?:ity| hook-?up)?|hook-?up)\b/i],
  [
    /\bnotify\b/,
    /\b(?:let|tell|inform|notify|warn)\s+(?:the\s+)?(?:everyone|everybody|all|them|people|others|guests|team)\b/i,
  ],
  [/\blaundry\b/, /\b(?:laundry|washing machine|washer)\b/i],
];

function bySynonym({ words }: ArgumentProfile, text: string): boolean | undefined {
  const name = words.join(' ');
  for (const [own, said] of SYNONYMS) {
    const match = own.test(name) ? said.exec(text) : null;
    if (match) return !DENIAL.test(text.slice(Math.max(0, match.index - REACH), match.index));
  }
  return undefined;
}

/** "true to freeze, false to unfreeze": the description names the verbs; what takes back is looked for first. */
function byDescription({ meaning }: ArgumentProfile, text: string): boolean | undefined {
  const yes = verbAfter('true', meaning);
  const no = verbAfter('false', meaning);
  if (yes === undefined) return undefined;
  const said = new Set(splitWords(text).flatMap((word) => [word, stem(word)]));
  const isSaid = (verb: string) => said.has(verb) || said.has(stem(verb));
  if ([no ?? '', `un${yes}`, `dis${yes}`, `de${yes}`].some((verb) => verb !== '' && isSaid(verb))) return false;
  return isSaid(yes) && !DENIAL.test(text) ? true : undefined;
}

function verbAfter(value: string, meaning: string): string | undefined {
  const verb = new RegExp(String.raw`\b${value}\b['"]?\s*(?:=|to)\s+([a-z]{3,})`).exec(meaning)?.[1];
  return verb === undefined || /^(?:the|any|all|search|find|show|return|look|get|include|have|only|on|off)$/.test(verb)
    ? undefined
    : verb;
}

/** A long word that only this argument's description has: `speaker` and "put him on the loudspeaker". */
function byHint({ hints, meaning }: ArgumentProfile, text: string): boolean | undefined {
  if (verbAfter('true', meaning) !== undefined) return undefined;
  const said = [...text.matchAll(/[A-Za-z]+/g)].find(({ 0: word }) => {
    const root = stem(word.toLowerCase());
    return root.length >= LEAST_HINT && hints.includes(root) && !VAGUE.test(root);
  });
  return said && !DENIAL.test(text.slice(Math.max(0, said.index - REACH), said.index)) ? true : undefined;
}

function toValue({ argument }: ArgumentProfile, said: boolean): Candidate['value'] {
  const options = enumOf(argument.schema);
  return options.find((option) => String(option).toLowerCase() === String(said)) ?? said;
}

/** The message has all words of the argument close together; a denial before them means no. */
function byWords({ words }: ArgumentProfile, text: string): boolean | undefined {
  const isAvoided = AVOIDS.test(words[0] ?? '');
  const own = words.filter((word) => !EMPTY.test(word) && !AVOIDS.test(word)).map(stem);
  if (own.length === 0) return undefined;
  const said = [...text.matchAll(/[A-Za-z]+/g)].map((match) => ({
    root: stem(american(match[0].toLowerCase())),
    at: match.index,
  }));
  const places = own.map(
    (root) =>
      said.find(
        (word) =>
          word.root === root ||
          (root.length > 4 && word.root.startsWith(root)) ||
          (word.root.length > 4 && root.startsWith(word.root)),
      )?.at,
  );
  const known = places.filter((place) => place !== undefined);
  if (known.length < own.length || Math.max(...known) - Math.min(...known) > 60) return undefined;
  const first = Math.min(...known);
  const isDenied = DENIAL.test(text.slice(Math.max(0, first - REACH), first));
  // `avoid_tolls` is meant by "no toll roads" and by "avoid tolls".
  return isAvoided ? isDenied || /\b(?:avoid|skip)/i.test(text) : !isDenied;
}

/** `color` and "in colour" are one word. */
function american(word: string): string {
  return word.replace(/(?<=[a-z]{2})our(?=s|ed|$)/, 'or');
}

const AVOIDS = /^(?:avoid|exclude|skip|without|no|omit|ignore)$/;

/** `locked` and "unlock the door", `on` and "switch the lamp off". */
function byVerb({ words, meaning }: ArgumentProfile, text: string): boolean | undefined {
  const isSwitch =
    words.some((word) => /^(?:on|power|powered|state|enabled?|active|activated?|status|switch)$/.test(word)) ||
    /\b(?:on or off|turn(?:ed)? on|switch(?:ed)? on)\b/.test(meaning);
  const found =
    /\b(?:turn|switch|power|put)\w*\b[^.?!]*?\b(on|off)\b/i.exec(text) ??
    /\b(on|off)(?:\s+(?:please|pls|now))?[\s.!?]*$/i.exec(text) ??
    /^\s*(on|off)\s+with\b/i.exec(text) ??
    /\b(?:lights?|lamps?|heating|tv|fan|music|radio|power|all|everything)\s+(on|off)\b/i.exec(text);
  const isKilled = /\b(?:kill|cut|shut off|shut down|douse)\b/i.test(text);
  if (isSwitch && isKilled) return false;
  const pole = found?.[1]?.toLowerCase();
  if (isSwitch && pole) return pole === 'on';
  // A lamp that is dimmed or gets a colour is on.
  if (isSwitch && /\b(?:dim|brighten|make|set)\b/i.test(text)) return true;
  for (const word of splitWords(text)) {
    const root = verbOf(word);
    const isYes = root === undefined ? undefined : poleOf(root);
    if (root === undefined || isYes === undefined || root === 'on' || root === 'off') continue;
    const other = oppositeOf(root) ?? '';
    const names = words.map((own) => verbOf(own) ?? own);
    if (names.includes(root) || names.includes(other) || (isSwitch && /^(?:en|dis)able$|^(?:de)?activate$/.test(root)))
      return names.includes(root) ? true : names.includes(other) ? false : isYes;
  }
  return undefined;
}

/** The plain form of a verb that has an opposite. */
function verbOf(word: string): string | undefined {
  if (word === 'shut') return 'close';
  return [
    word,
    word.replace(/ed$/, ''),
    word.replace(/([bdgmnprt])\1(?:ed|ing)$/, '$1'),
    word.replace(/d$/, ''),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/s$/, ''),
  ].find((form) => poleOf(form) !== undefined);
}
