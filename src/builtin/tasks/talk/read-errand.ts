import { startsWithVerb } from '../../../language/action-verbs.ts';
import { unquote } from '../../../language/clean-text.ts';
import { extractWhen, type When } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { isEmptyTitle } from '../frames/frame-create.ts';
import type { Act } from './act.ts';
import type { Mentions } from './mentions.ts';
import { topicWords } from './mentions.ts';
import { type Asking, trimTrailers } from './peel.ts';

export interface Errand {
  asking: Asking;
  when: When | undefined;
  mentions: Mentions;
  zone: Zone;
}

/** Orders to the list itself, which are no errand unless something announces them. */
const ORDER =
  /^(?:mark|tick|cross|delete|remove|erase|scrap|bin|kill|lose|move|push|shift|postpone|reschedule|delay|bump|rename|undo|redo|reopen|show|list|display|read (?:me|it|them|that|out|back)|tell me|give me|get rid|keep|leave|let|make (?:it|that|this|them)|set (?:it|that|the|them)|put|bring (?:it|that|them|back)|take (?:it|that|them|him|her|.* (?:off|out))|swap (?:them|those|the two)|change (?:it|that|the (?:date|time|name|title))|(?:change|rename|update|turn|switch|make) .+ (?:to|into) |update (?:it|that)|hold|wait|go ahead|go on|sleep|have a|take care|never mind|forget|help|stop|start over|clear|drop (?:it|that|the)|call it|see you|talk to you|come on|look|listen|guess|imagine|think|be|thank|use|try again|do (?:it|that|this|not))\b/i;
/** Words that point at tasks instead of naming a new one. */
const POINTS =
  /^(?:the )?(?:both|all|every|everything|each|other|others|first|second|third|last|rest|one|ones)\b|\b(?:later|earlier|sooner) *$/i;
/** Subjects of remarks. */
const SUBJECT =
  /^(?:i|i'm|i've|i'll|i'd|we|we're|we've|you|you're|he|he's|she|she's|they|they're|it|it's|its|that|that's|this|there|nothing|everything|something|anything|everyone|everybody|nobody|someone|somebody|no|not|so|what|who|which|how|why|where|when|if|maybe|perhaps|hope|hopefully|yes|yeah|ok|okay|never)\b/i;
const FINITE =
  /\b(?:is|are|was|were|has|have|had|will|would|says?|said|wants?|can|can't|cannot|could|did|does|doesn't|don't|didn't|went|gave|closes?|opens?|arrives?|comes?|came|moved|pushed|slipped|told|thinks?|reckons?|looks?|seems?|works?|suits|feels?|felt|got|gets)\b|'(?:m|re|ve|ll|d)\b/i;
const NEEDS_DOING = /\b(?:needs?|has to|have to|must|should|ought to)\b/i;
/** Work that this program is asked to do itself. */
const FOR_ITSELF = /\b(?:yourself|for me|the list|my list|this list)\b/i;
const MAX_NOUN_WORDS = 7;

/** Reads a thing to do: announced, begun with a verb, or a few words with a time. */
export function readErrand(core: string, { asking, when, mentions, zone }: Errand): Act | undefined {
  const quoted = /^(["'])(.+?)\1(.*)$/s.exec(core);
  if (quoted && asking === 'add') {
    const day = extractWhen(quoted[3] ?? '', zone);
    return { kind: 'create', title: String(quoted[2]), asking, isQuoted: true, ...(day && { when: day.text }) };
  }
  const words = trimTrailers(core);
  const timed = words === core ? when : extractWhen(words, zone);
  const bare = trimTrailers(unquote(timed?.rest ?? words).replace(/^[\s,;:-]+|[\s,;:-]+$/g, ''));
  if (/^(?:\w+ )?(?:things?|tasks?|items?|stuff)(?: (?:down|for me|to do))*$/i.test(bare)) return undefined;
  if (asking !== 'add' && /\s(?:it|them|that|those|these)$/i.test(bare)) return undefined;
  if (bare === '' || isEmptyTitle(bare) || !topicWords(bare).some((word) => /\p{L}/u.test(word))) return undefined;
  const isVerb = startsWithVerb(bare);
  const title = isVerb ? bare : bare.replace(/^(?:the|an?)\s+(?=\S)/i, '');
  const create: Act = { kind: 'create', title, asking, ...(timed && { when: timed.text }) };
  if (asking === 'add') return create;
  if (ORDER.test(bare) || SUBJECT.test(bare) || POINTS.test(core) || (asking === 'need' && /\bnow\b/i.test(core)))
    return undefined;
  if (isVerb) return asking === 'none' && !timed && FOR_ITSELF.test(core) ? undefined : create;
  if (asking === 'need' && !timed && !bare.includes(' ')) return undefined;
  if (asking === 'need') return FINITE.test(bare) ? undefined : create;
  if (!timed || mentions.kind !== 'none') return undefined;
  if (NEEDS_DOING.test(bare)) return create;
  return !FINITE.test(bare) &&
    !/\b\p{L}{3,}ed\b|'s \p{L}+ing\b/iu.test(bare) &&
    bare.split(/\s+/).length <= MAX_NOUN_WORDS
    ? create
    : undefined;
}
