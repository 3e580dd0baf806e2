import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import { actionOf } from '../actions.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import type { Candidate } from './candidate.ts';
import { escapePattern } from './near-label.ts';

/** Arguments that take words as they are said, not only names. */
const FREE_TEXT =
  /^(?:text|message|content|title|body|description|term|topic|keyword|keywords|subject|note|name|comment|reason|summary|label|item|task|product|event)$/;
/** "what does a lamp cost", "how much is the lamp": the subject is before the verb or after "is". */
const ASKED =
  /^(?:what (?:does|do|did) (.+?) (?:cost|mean|weigh|contain|measure)|how much (?:(?:is|are|was|were) (?:the |an? )?|(?:does|do) )(.+?)(?: cost)?)\s*[?.!]*$/i;
const LEAD = String.raw`(?:\b(?:on|at|for|in|to|from|by|with|of|until|before|after|size|quantity|named|called|x)\s+|#)*`;

export interface RestOptions {
  text: string;
  all: readonly ArgumentProfile[];
  /** The values that other arguments have taken. */
  taken: readonly Candidate[];
}

/** The words after the command, for a text that nothing else names. Values of other arguments are left out. */
export function readRest(profile: ArgumentProfile, { text, all, taken }: RestOptions): string | undefined {
  if (profile.kind === 'query') return text.trim();
  const isFree = profile.words.some((word) => FREE_TEXT.test(word));
  if (!isFree && all.filter((other) => other.isRequired).length > 1) return undefined;
  const command = stripPoliteness(withoutTaken(text, taken));
  const linked = askedThing(command) ?? /\b(?:about|called|named|saying|that|titled)\s+(.+)$/is.exec(command)?.[1];
  const about = linked ?? afterVerb(command, profile) ?? (isFree ? undefined : afterLink(command));
  const rest = about === undefined ? '' : unquote(about.replace(/^(?:the|an?|my|some)\s+/i, ''));
  return rest === '' || /^(?:it|that|this|them|one|me|us)$/i.test(rest) ? undefined : rest;
}

function afterLink(command: string): string | undefined {
  return /\b(?:for|to|of|on|with|in|at)\s+(.+)$/is.exec(command)?.[1];
}

/** "put 3 chargers in my cart" → "chargers": without the verb, and without the place that the tool itself names. */
function afterVerb(command: string, { labels, words }: ArgumentProfile): string | undefined {
  const [first = '', ...others] = command.split(/\s+/);
  const isVerb = actionOf(splitWords(first)[0] ?? '') !== undefined;
  if (!isVerb || others.length === 0) return words.some((word) => FREE_TEXT.test(word)) && isVerb ? '' : undefined;
  const things = labels.map(escapePattern).join('|');
  const place = /\s+(?:(?:in|into|to|on|from|out of|off)\s+(?:my|the|our)\s+[\w ]+|out(?:\s+again)?|again|back)\s*$/i;
  const own =
    things === ''
      ? /^$/
      : new RegExp(
          String.raw`^(?:(?:an?|the|my|new)\s+)*(?:${things})s?\s+(?:(?:about|for|of|to|called|named|saying|that says)\s+)?`,
          'i',
        );
  return others
    .join(' ')
    .replace(place, '')
    .replace(own, '')
    .replace(/^(?:about|for|of|to|on)\s+/i, '');
}

function withoutTaken(text: string, taken: readonly Candidate[]): string {
  let open = text;
  for (const { at, length } of taken.filter((one) => one.length > 0).toSorted((a, b) => b.at - a.at)) {
    const before = open.slice(0, at).replace(new RegExp(`${LEAD}$`, 'i'), '');
    open = `${before} ${open.slice(at + length)}`;
  }
  return open.replace(/\s+/g, ' ').trim();
}

function askedThing(command: string): string | undefined {
  const match = ASKED.exec(command);
  return match?.[1] ?? match?.[2];
}
