import { unquote } from '../../language/clean-text.ts';

/** Words for one entry and for the whole list. */
export const ITEM = String.raw`(?:to[- ]?do(?: list)? (?:items?|tasks?|entry|entries)|list items?|tasks?|to-?dos?|to dos?|items?|reminders?|entry|entries|chores?|errands?)`;
const LIST_NAME = String.raw`(?:(?:to[- ]?do|shopping|grocery|groceries|task|tasks|reminders?|chores?|things[- ]to[- ]do|bucket|packing|work|home|personal|wish|current|whole|entire|new) )*(?:lists?|to-?dos?|tasks|reminders|agenda|calendar|schedule|plate|planner|cart)`;
const MY = String.raw`(?:(?:my|our|the|this|that|your|these|those|all|of|current|an?)\s+)*`;
export const MY_LIST = String.raw`${MY}${LIST_NAME}(?: (?:of|for) (?:things to do|things|to-?dos?|tasks|chores|groceries|shopping|me|today))?`;

const of = (source: string) => new RegExp(source, 'is');
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const ARTICLE = /^(?:(?:the|my|a|an|our|that|this|all|of|those|these|both)\s+)+/i;
const FROM_LIST = of(String.raw`\s+(?:(?:from|off(?: of)?|out of|on|in|to)\s+${MY_LIST}|off)\W*$`);
/** "the haircut, I'm growing it": a reason behind the name. */
const TAIL =
  /\s*,\s*(?:and |so |because |since |as )*(?:i|i'm|i've|i'll|he|she|they|they're|we|we're|it|it's|that|that's|there|no longer|thanks?)\b.*$/is;
const ITEM_HEAD = of(
  String.raw`^(?:${ITEM}|one(?= (?:called|named|about|for|with|titled)))\s+(?:(?:called|named|titled|about|for|with|to|of|that says|saying|that is|which is|labell?ed|regarding|on|number|no\.?|#)\s+|#|:\s*)(?=\S)`,
);
const ITEM_TAIL = of(String.raw`\s+(?:${ITEM}|one|task'?s? title|title|thing|timing|time|slot)\W*$`);
const PRONOUN = /^(?:it|that|this|them|those|these)(?: (?:one|ones|task|tasks|item|items|todo|reminder|thing))?$/i;
const EMPTY = of(
  String.raw`^(?:(?:an?|the|my|some|any)\s+)*(?:${ITEM}|one|ones|some|something|anything|someone|stuff|thing|things|title|name|list|due date|deadline|date|description|it all|another|a few|(?:one|some|any|a few) of (?:them|these|those|my|the|it)(?: ${ITEM})?)?(?:\s*,?\s*(?:for me|you know which(?: one)?|from (?:my|the) list))?$`,
);

/** The words that point at a task, without article, "task" and "from my list". Empty when nothing is left to point with. */
export function cleanReference(text: string): string {
  const negative = /(?:^|\s)([-−]\d+)\W*$/.exec(text)?.[1];
  if (negative !== undefined) return negative;
  const id = UUID.exec(text)?.[0];
  if (id !== undefined) return id;
  const trimmed = text.trim().replace(/^(?:off|with|up|out|the (?:check)?box (?:for|of|next to))\s+(?=\S)/i, '');
  if (/^["'].*["'][\s.!?,]*$/s.test(trimmed)) return unquote(trimmed);
  const quoted = /(?:^|\s)(["'])([^"']+)\1(?=\W|$)/.exec(trimmed);
  if (quoted && isOnlyTaskWords(trimmed.replace(quoted[0], ' '))) return String(quoted[2]).trim();
  let ref = unquote(trimmed.replace(TAIL, '').replace(FROM_LIST, ''));
  if (/^its$/i.test(ref)) return 'it';
  if (PRONOUN.test(ref)) return ref;
  if (/^(?:the\s+)?(?:last|first)$/i.test(ref)) return ref.replace(ARTICLE, '');
  ref = ref.replace(ARTICLE, '');
  if (/^last (?:one|task|item)$/i.test(ref)) return 'last';
  ref = ref.replace(ITEM_HEAD, '').replace(ARTICLE, '');
  const number = /^(?:tasks?|items?|todos?|numbers?|no\.?|#)\s*(?:number\s*|no\.?\s*|#)?(\w+)$/i.exec(ref);
  if (number && /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$/i.test(String(number[1])))
    return String(number[1]);
  ref = ref.replace(/^(?:task|item|todo)\s+(?=\S*\d\S*$)/i, '').replace(/^task\s+(?=[a-z]+\s+\S)(?!force|list)/i, '');
  if (EMPTY.test(ref)) return '';
  // "3 tasks" is a number of them, not a place.
  if (/^(?:\d+|two|three|four|five|six) (?:tasks|items|things|ones)$/i.test(ref)) return ref;
  ref = unquote(ref.replace(ITEM_TAIL, ''));
  return EMPTY.test(ref) ? '' : ref;
}

function isOnlyTaskWords(text: string): boolean {
  return /^(?:\s|the|my|title|name|task|tasks|item|todo|to-do|reminder|called|named|titled|about|one|from|off|list|of|entry|on|[.,!?:])*$/i.test(
    text,
  );
}
