import { oppositeOf, poleOf } from '../../../language/aliases.ts';
import { stem } from '../../../language/words.ts';
import { enumOf, splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, SURE } from './candidate.ts';

const DENIAL =
  /\b(?:no|not|non|without|don't|doesn't|shouldn't|isn't|exclude|excluding|except|disable|skip|omit|never|n't)\b/i;
const EMPTY =
  /^(?:is|are|has|have|include|includes|included|enable|enabled|use|get|show|with|in|should|be|can|may|flag|the|for|on|off|allow|allowed|accepts?|accepted|apply|keep|only|needs?|needed|wants?|wanted|requires?|required|service|services|options?|available)$/;
const REACH = 25;
const MAX_DISTANCE = 60;

/** Yes or no: by a verb with an opposite ("unlock", "turn off"), or by the argument's words. */
export const readFlag: CandidateReader = (profile, { text }) => {
  const said = bySwitch(profile, text) ?? byVerb(profile, text) ?? byWords(profile, text);
  if (said === undefined) return [];
  const option = enumOf(profile.argument.schema).find((one) => String(one).toLowerCase() === String(said));
  return [{ value: option ?? said, at: 0, length: 0, score: SURE.shaped }];
};

const SWITCH = /^(?:on|power|powered|state|enabled?|active|activated?|status|switch)$/;
const SWITCHED =
  /\b(?:turn|switch|power|put)\w*\b[^.?!]*?\b(on|off)\b|\b(on|off)(?:\s+(?:please|pls|now))?[\s.!?]*$|^\s*(on|off)\s+with\b|\b(?:lights?|lamps?|heating|tv|fan|music|radio|power|all|everything)\s+(on|off)\b/i;

/** "switch the lamp off", "kill the lights", "dim it": for an argument that says whether something is on. */
function bySwitch({ words, meaning }: ArgumentProfile, text: string): boolean | undefined {
  const isSwitch =
    words.some((word) => SWITCH.test(word)) || /\b(?:on or off|turn(?:ed)? on|switch(?:ed)? on)\b/.test(meaning);
  if (!isSwitch) return undefined;
  if (/\b(?:kill|cut|shut off|shut down|douse)\b/i.test(text)) return false;
  const pole = SWITCHED.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.toLowerCase();
  if (pole !== undefined) return pole === 'on';
  const verb = splitWords(text).find((word) => /^(?:en|dis)able$|^(?:de)?activate$/.test(verbOf(word) ?? ''));
  if (verb !== undefined) return poleOf(verbOf(verb) ?? '');
  // A lamp that is dimmed or gets a colour is on.
  return /\b(?:dim|brighten|make|set)\b/i.test(text) ? true : undefined;
}

/** `locked` and "unlock the door". */
function byVerb({ words }: ArgumentProfile, text: string): boolean | undefined {
  const names = words.map((own) => verbOf(own) ?? own);
  for (const word of splitWords(text)) {
    const root = verbOf(word);
    if (root === undefined || root === 'on' || root === 'off') continue;
    if (names.includes(root)) return true;
    if (names.includes(oppositeOf(root) ?? '')) return false;
  }
  return undefined;
}

/** The plain form of a verb that has an opposite. */
function verbOf(word: string): string | undefined {
  if (word === 'shut') return 'close';
  const forms = [/ed$/, /d$/, /ing$/, /s$/].map((ending) => word.replace(ending, ''));
  const doubled = word.replace(/([bdgmnprt])\1(?:ed|ing)$/, '$1');
  return [word, ...forms, doubled, word.replace(/ing$/, 'e')].find((form) => poleOf(form) !== undefined);
}

/** The message has all words of the argument close together; a denial before them means no. */
function byWords({ words }: ArgumentProfile, text: string): boolean | undefined {
  const own = words.filter((word) => !EMPTY.test(word)).map(stem);
  // `color` and "in colour" are one word.
  const said = [...text.matchAll(/[A-Za-z]+/g)].map((match) => ({
    root: stem(match[0].toLowerCase().replace(/(?<=[a-z]{2})our(?=s|ed|$)/, 'or')),
    at: match.index,
  }));
  const isLike = (a: string, b: string) =>
    a === b || (b.length > 3 && a.startsWith(b)) || (a.length > 3 && b.startsWith(a));
  const places = own.flatMap((root) => said.find((word) => isLike(word.root, root))?.at ?? []);
  if (own.length === 0 || places.length < own.length) return undefined;
  const first = Math.min(...places);
  if (Math.max(...places) - first > MAX_DISTANCE) return undefined;
  const isDenied = DENIAL.test(text.slice(Math.max(0, first - REACH), first));
  return !isDenied;
}
