import { oppositeOf, poleOf } from '../../../language/aliases.ts';
import { stem } from '../../../language/words.ts';
import { enumOf, splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';

const DENIAL =
  /\b(?:no|not|non|without|don't|doesn't|shouldn't|isn't|exclude|excluding|except|disable|skip|omit|never|n't)\b/i;
const EMPTY =
  /^(?:is|are|has|have|include|includes|included|enable|enabled|use|get|show|with|in|should|be|flag|the|for|on|off|allow|allowed|accepts?|accepted|apply|keep|only|service|services|options?|available)$/;
const REACH = 25;

/** Yes or no: by the argument's words in the message, or by a verb with an opposite ("unlock", "turn off"). */
export const readFlag: CandidateReader = (profile, { text }) => {
  const said = byVerb(profile, text) ?? byWords(profile, text);
  return said === undefined ? [] : [{ value: toValue(profile, said), at: 0, length: 0, score: SURE.shaped }];
};

function toValue({ argument }: ArgumentProfile, said: boolean): Candidate['value'] {
  const options = enumOf(argument.schema);
  return options.find((option) => String(option).toLowerCase() === String(said)) ?? said;
}

/** The message has all words of the argument close together; a denial before them means no. */
function byWords({ words }: ArgumentProfile, text: string): boolean | undefined {
  const own = words.filter((word) => !EMPTY.test(word)).map(stem);
  if (own.length === 0) return undefined;
  const said = [...text.matchAll(/[A-Za-z]+/g)].map((match) => ({
    root: stem(match[0].toLowerCase()),
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
  return !DENIAL.test(text.slice(Math.max(0, first - REACH), first));
}

/** `locked` and "unlock the door", `on` and "switch the lamp off". */
function byVerb({ words, meaning }: ArgumentProfile, text: string): boolean | undefined {
  const isSwitch =
    words.some((word) => /^(?:on|power|powered|state|enabled?|active|activated?|status|switch)$/.test(word)) ||
    /\b(?:on or off|turn(?:ed)? on|switch(?:ed)? on)\b/.test(meaning);
  const found =
    /\b(?:turn|switch|power|put)\w*\b[^.?!]*?\b(on|off)\b/i.exec(text) ??
    /\b(on|off)(?:\s+(?:please|pls|now))?[\s.!?]*$/i.exec(text);
  const pole = found?.[1]?.toLowerCase();
  if (isSwitch && pole) return pole === 'on';
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
  return [
    word,
    word.replace(/ed$/, ''),
    word.replace(/d$/, ''),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/s$/, ''),
  ].find((form) => poleOf(form) !== undefined);
}
