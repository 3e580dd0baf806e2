import { startsWithVerb } from '../../../language/action-verbs.ts';
import { unquote } from '../../../language/clean-text.ts';
import { form, type Message, readForm } from '../../../language/forms.ts';
import type { Command } from '../command.ts';
import { ITEM, MY_LIST } from '../reference.ts';

const NOUN = '(task|todo|to-do|to do|reminder|item|entry|chore|errand)';
const ONE = '[a|an|another|one more|the|my|this] [new|quick|simple]';
const LIST =
  '(to|on|onto|in|into) (my|the|our) [todo|to-do|to do|task|tasks|shopping|grocery] (list|tasks|todos|to-dos|agenda|calendar)';
const NAMED = '(called|named|titled|saying|that says|to|for|about|of|:|-|,)';
const ADD = '(add|create|make|set|set up|insert|new|note|schedule|give me|get me|i need|i want|put|put down)';

/** Words that only a new task is announced with. */
const ANNOUNCED = [
  `${ADD} ${ONE} ${NOUN} [for me|${LIST}] ${NAMED} <title>`,
  `${ADD} ${ONE} ${NOUN} <title>`,
  `${ONE} ${NOUN} (:|to|-) <title>`,
  `(add|create) (a|an|another) <title> (task|todo|to-do|reminder)`,
  `(add|put|note|write|jot|enter|include) [down] [:|-] <title> ${LIST}`,
  `(add|note|jot down|note down|write down|todo|to-do) [:|-] <title>`,
  `${LIST} [,|:] (add|put) <title>`,
  `remind (me|us) [please] <when> (to|about|that|of) <title>`,
  `remind (me|us) [please] (to|about|that|of) <title>`,
  `remind (me|us) <title>`,
  `(remember|don't forget|do not forget|don't let me forget|never forget|make sure|be sure|note to self|mental note) [:|,|-] [to|about|that|i] <title>`,
].map(form);
/** A need is a task if it begins like an errand and says nothing else. */
const NEEDED = [
  `[(i|we) ['ve|have]] [really|still|also|just] (need to|have to|must|should|ought to|got to|gotta|want to) [remember to|also] <title>`,
].map(form);
const EMPTY = new RegExp(
  String.raw`^(?:(?:an?|the|my|some|another|new|one|more)\s+)*(?:${ITEM}|something|anything|stuff|this|that|it|them|both|one|things?|these|those|new|note|following|more|another(?: one)?|later|again|soon|me|a few things|to|list|${MY_LIST})?$`,
  'i',
);
const NOTHING = form(`(add|create|make|new|set|put) [down] ${ONE} [${NOUN}|something|one|thing] [(for me|${LIST})]`);
const A_LIST = form(
  `(make|create|start|open) [me] (a|another|new) [new] [todo|to-do|shopping|grocery|task] list [for me]`,
);
const MAX_WORDS = 9;

/** Whether a title says nothing: "a task", "something". */
export function isEmptyTitle(title: string): boolean {
  return EMPTY.test(title.trim());
}

const create = (slots: Command['slots'], others: Partial<Command> = {}): Command => {
  return { action: 'create', confidence: 0.95, evidence: 'plain', slots, ...others };
};

/** The task that a clause adds. A title with several parts is left to the reader: it may be a list or have a remark. */
export function readAdded(message: Message): Command | undefined {
  if (readForm(NOTHING, message)) return create({}, { missing: 'title' });
  if (readForm(A_LIST, message)) return create({}, { missing: 'title', isList: true });
  for (const rule of [...ANNOUNCED, ...NEEDED]) {
    const words = readForm(rule, message);
    if (words) return toCreate(words.title ?? '', words.when, { isAnnounced: !NEEDED.includes(rule), message });
  }
  return undefined;
}

/** Inside of a title: a list, a remark, or another sentence. */
const PARTS =
  /,|\s-\s|[.;:!?]\s|\n|\b(?:because|cos|since|but|so that|if|when|unless|which|that's|it's|and (?:also|then|remind|add|mark|tick)|and (?:delete|remove|move|rename)\b.*\b(?:list|tasks?|to))\b/i;

/** Words before the errand itself: "that I need to". */
const LEAD =
  /^(?:(?:also|then|just)\s+)*(?:to\s+|(?:that\s+)?(?:(?:i|we)\s+)?(?:need to|have to|must|should|remember to)\s+)+(?=\w)/i;

/** A title in quotes, with its time behind it. */
const QUOTED = /^(?:"([^"]+)"|'([^']+)')(?:[\s,]+(?:due\s+)?(\S.*))?$/;

function toCreate(
  said: string,
  when: string | undefined,
  { isAnnounced, message }: { isAnnounced: boolean; message: Message },
): Command | undefined {
  const title = unquote(said).replace(LEAD, '');
  const timed = when === undefined ? {} : { when };
  const [, double, single, rest = ''] = QUOTED.exec(said.trim()) ?? [];
  const quoted = double ?? single;
  const isUndated = rest === '' || /^with(?:out a| no) (?:due )?date$/i.test(rest);
  if (quoted !== undefined && (isUndated || message.checks.when?.(rest)))
    return create({ title: quoted.trim(), ...timed, ...(isUndated ? {} : { when: rest }) }, { isQuoted: true });
  if (isEmptyTitle(title)) return isAnnounced ? create(timed, { missing: 'title' }) : undefined;
  if (PARTS.test(title) || /"|(?<![\p{L}])'[^']+'/u.test(title) || title.split(/\s+/).length > MAX_WORDS)
    return undefined;
  if (/^(?:what|which|when|how|who|if|whether)\b/i.test(title)) return undefined;
  const isErrand = startsWithVerb(title) && !/\b(?:my list|tasks?|something)\b/i.test(title);
  if (!isAnnounced && !isErrand) return undefined;
  // "call Ann and pay the rent": two errands, or one in two steps.
  const [, last = ''] = /.*\band\b\s*(.*)$/i.exec(title) ?? [];
  if (!isAnnounced && startsWithVerb(last)) return undefined;
  return create({ title, ...timed });
}

const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s+/;
const HEADING =
  /^(?:(?:please|kindly|can you|could you|hey|hi|ok)[\s,]+)*(?:add|put|note|create|new|todo|to-do|tasks?|to-?dos|my list|(?:[\w-]+\s){0,3}list)\b.*:\s*$/i;

/** The titles of a message in lines: bullets, or lines below a heading that announces them. */
export function readLines(text: string): Command[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '', ...others] = lines;
  const items = HEADING.test(first.trim()) ? others : lines.every((line) => BULLET.test(line)) ? lines : [];
  if (items.length < 2 && !(items.length === 1 && items !== lines)) return [];
  return items.map((line) => create({ title: unquote(line.replace(BULLET, '')) }));
}
