import { isActionVerb, startsWithVerb } from '../../../language/action-verbs.ts';
import type { Mark, Reading } from '../../reader/reading.ts';
import { isEmptyTitle } from '../plain/add-forms.ts';

/** An act that the marks of a message ask for. */
export interface MarkedAct {
  kind: 'add' | 'done' | 'reopen' | 'del' | 'move' | 'ren' | 'note' | 'clear';
  /** The new title, or the words that name a task; empty where they are left out. */
  name: string;
  when?: string;
  to?: string;
  text?: string;
  except?: string;
  start: number;
  end: number;
}

const ACTS: ReadonlySet<string> = new Set(['add', 'done', 'reopen', 'del', 'move', 'ren', 'note', 'clear']);
/** Between two marks: a new sentence or part begins. */
const BREAK = /[.!?;:\n]|,|\b(?:and|then|also|but)\b/i;
const SENTENCE = /[.!?;\n]/;
/** Between the marks of a plain list. */
const LINK = /^[\s,&+/-]*(?:and|plus|n|or)?[\s,]*(?:also|the|some|a|an|my)?\s*$/i;

/** A time of day alone. */
const CLOCK =
  /^(?:at |around |about |by )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight|half past \w+|quarter (?:past|to) \w+|\w+ o'?clock)$/i;
const NUMERALS = 'one two three four five six seven eight nine ten'.split(' ');
const NUMERAL = new RegExp(`^(?:\\d{1,3}|${NUMERALS.join('|')})$`, 'i');
/** Before a time that no longer holds. */
const NO_LONGER = /\b(?:rather than|not|instead of|was|from)\s+(?:on\s+|at\s+|for\s+|the\s+)*$/i;
/** A wish for a notice before the time of the task. */
const AHEAD = /\bremind (?:me|us)\b[^.,;]*\bbefore(?:hand)?$/i;
const NUMBERED = /(?:\b(?:number|no\.?|nr\.?|task|item)|#)\s*$/i;

/** Errands that may be about several things. */
const WITH_THINGS = /^(?:buy|get|grab|order|pick up|bring|pack|fetch|invite|thank|return)\b/i;

/** The place or person of an errand behind its time. */
const PLACE = /^(?:at|in|with|from|for|to|near)\s/i;

/** Puts the marks of a message together: times, new titles and details go to the act that they belong to. */
export function toActs(text: string, reading: Pick<Reading, 'marks'>): MarkedAct[] {
  const marks = joinNeighbours(wholeQuotes(text, reading.marks), text).map((mark) => withVerb(mark, text));
  const acts = marks
    .filter(
      ({ kind, text: name }) => ACTS.has(kind) && !(kind === 'add' && (isEmptyTitle(name) || NO_TITLE.test(name))),
    )
    .map((mark) => toAct(mark, text));
  for (const mark of marks) {
    if (mark.kind === 'when') addTime(mark, acts, { text, marks });
    if (mark.kind === 'to') addTo(mark, acts, { kind: 'ren', field: 'to' });
    if (mark.kind === 'text') addTo(mark, acts, { kind: 'note', field: 'text', isOfNew: true });
    if (mark.kind === 'except') addException(mark, acts);
  }
  return joinErrands(
    acts.sort((a, b) => a.start - b.start),
    text,
  );
}

/** "a task to buy eggs": the verb behind "to" belongs to the title. */
function withVerb(mark: Mark, text: string): Mark {
  const [, verb = ''] = /\bto ([a-z]+) $/i.exec(text.slice(0, mark.start)) ?? [];
  if (
    mark.kind !== 'add' ||
    !isActionVerb(verb) ||
    /^(?:put|note|record|log|remember|schedule|make|have|be)$/i.test(verb)
  )
    return mark;
  const start = mark.start - verb.length - 1;
  return { ...mark, start, text: text.slice(start, mark.end) };
}

const NO_TITLE = /^(?:the|an?|my|our|some|make|add|create|new)$/i;
/** "10 bags" behind "buy cement". */
const AMOUNT =
  /^(?:\d+(?:[.,]\d+)?|an?|two|three|four|five|six|ten|a dozen)\s*x?\s*(?:bags?|box(?:es)?|packs?|packets?|pieces?|bottles?|tins?|cans?|rolls?|kilos?|kg|g|grams?|lit(?:re|er)s?|l|ml|m|met(?:re|er)s?|cm|pairs?|sheets?|copies|loaves|slices|jars?|tubes?|cartons?|crates?|sacks?|units?)$/i;

/** Puts errands together that are one: "buy eggs, milk and flour", "load in tonight at the hall". */
function joinErrands(acts: readonly MarkedAct[], text: string): MarkedAct[] {
  const joined: MarkedAct[] = [];
  const isShopping = isOneErrand(acts, text);
  for (const act of acts) {
    const before = joined.at(-1);
    const gap = before ? text.slice(before.end, act.start) : '';
    const isPlace = before?.when !== undefined && PLACE.test(act.name) && gap.trim() === before.when.trim();
    const isAmount = before !== undefined && AMOUNT.test(act.name) && /^,?\s*$/.test(gap);
    if (before?.kind === 'add' && act.kind === 'add' && (isShopping || isPlace || isAmount)) {
      before.name = isPlace ? `${before.name} ${act.name}` : text.slice(before.start, act.end);
      before.end = act.end;
      const when = before.when ?? act.when;
      if (when !== undefined) before.when = when;
    } else joined.push({ ...act });
  }
  return joined;
}

/** A verb for several things, and things without a verb up to "and". */
function isOneErrand(acts: readonly MarkedAct[], text: string): boolean {
  const [first, ...others] = acts;
  const last = others.at(-1);
  if (!first || !last || acts.some(({ kind }) => kind !== 'add')) return false;
  const times = new Set(acts.flatMap(({ when }) => when ?? []));
  if (times.size > 1 || acts.some((act) => act.when !== undefined && act !== first && act !== last)) return false;
  if (!WITH_THINGS.test(first.name) || others.some(({ name }) => startsWithVerb(name))) return false;
  const gaps = others.map((act, index) => text.slice(acts[index]?.end ?? 0, act.start));
  const isListed = gaps.every((gap) => LINK.test(gap)) && /\band\b|&/i.test(gaps.at(-1) ?? '');
  return isListed && !/[:\n]/.test(text.slice(0, last.start));
}

function toAct({ kind, text: words, start, end }: Mark, text: string): MarkedAct {
  const bare = words
    .replace(/[\s,;:-]+$/, '')
    .replace(/[\s,]+(?:and|then|also|plus|(?:for|on|by|at|until|till|before|after) the)$/i, '');
  const isNumber = NUMERAL.test(words) && NUMBERED.test(text.slice(0, start));
  if (NUMERAL.test(words) && /[-−]$/.test(text.slice(0, start)))
    return { kind: kind as MarkedAct['kind'], name: `-${words}`, start, end };
  const name = isNumber
    ? `#${NUMERALS.indexOf(words.toLowerCase()) + 1 || words}`
    : bare.replace(/(\bone|\d)['’]s$/i, '$1');
  // Only kinds of ACTS come here.
  return { kind: kind as MarkedAct['kind'], name, start, end };
}

const QUOTED = /"[^"]+"|“[^”]+”|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])/gu;

/** Quoted words are one name: marks inside of quotes become one. */
function wholeQuotes(text: string, marks: readonly Mark[]): Mark[] {
  let whole = [...marks];
  for (const { 0: quoted, index: start } of text.matchAll(QUOTED)) {
    const end = start + quoted.length;
    const inside = whole.filter((mark) => mark.start < end && mark.end > start);
    const [first] = inside;
    if (!first) continue;
    const joined = { ...first, text: quoted, start, end, chance: Math.min(...inside.map(({ chance }) => chance)) };
    whole = whole.flatMap((mark) => (mark === first ? [joined] : inside.includes(mark) ? [] : [mark]));
  }
  return whole;
}

/**
 * Two marks of one task with nothing but a space between them are one name: "the" and "machine". Three new things in a row
 * are a list: "milk eggs bread".
 */
function joinNeighbours(marks: readonly Mark[], text: string): Mark[] {
  const joined: Mark[] = [];
  const added = marks.filter(({ kind }) => kind === 'add').length;
  for (const mark of marks) {
    const before = joined.at(-1);
    const isNext = before?.kind === mark.kind && text.slice(before.end, mark.start).trim() === '';
    const isOne = isNext && (mark.kind !== 'add' || added === 2);
    if (before && isOne) {
      joined[joined.length - 1] = {
        ...before,
        end: mark.end,
        text: text.slice(before.start, mark.end),
        chance: Math.min(before.chance, mark.chance),
      };
    } else joined.push(mark);
  }
  return joined;
}

interface Message {
  text: string;
  marks: readonly Mark[];
}

/** A time belongs to the new or moved task before it, or to the one after it where a new part begins in between. */
function addTime(mark: Mark, acts: MarkedAct[], { text, marks }: Message): void {
  const isOnly = marks.filter(({ kind }) => kind === 'when').length === 1;
  if (!isOnly && (NO_LONGER.test(text.slice(0, mark.start)) || AHEAD.test(text.slice(0, mark.end)))) return;
  const timed = acts.filter(({ kind }) => kind === 'add' || kind === 'move');
  const replaced = replacedTime(mark, { text, marks });
  if (replaced) {
    for (const act of timed) if (act.when === replaced.text) act.when = mark.text;
    if (timed.some(({ when }) => when === mark.text)) return;
  }
  if (FOR_ALL.test(text.slice(0, mark.start)) && timed.every(({ end }) => end <= mark.start)) {
    for (const act of timed) act.when = join(act.when, mark.text);
    return;
  }
  const before = timed.findLast(({ end }) => end <= mark.start);
  const after = timed.find(({ start }) => start >= mark.end);
  if (!before && !after) {
    const other = acts.findLast(({ kind }) => kind === 'ren' || kind === 'note' || kind === 'reopen');
    if (other) other.when = join(other.when, mark.text);
    else acts.push({ kind: 'move', name: '', when: mark.text, start: mark.start, end: mark.end });
    return;
  }
  if (!before) {
    for (const act of timed) if (!hasOwnTime(act, marks, timed)) act.when = join(act.when, mark.text);
    return;
  }
  const gap = text.slice(before.end, mark.start);
  const next = after && text.slice(mark.end, after.start);
  const isOfNext =
    next !== undefined && (before.when !== undefined || SENTENCE.test(gap) || (BREAK.test(gap) && !BREAK.test(next)));
  if (isOfNext && after) after.when = join(after.when, mark.text);
  else {
    for (const act of isOnly && !after ? [before, ...listedBefore(before, timed, text)] : [before])
      act.when = join(act.when, mark.text);
  }
}

/** Before a time that is for every task of a list. */
const FOR_ALL =
  /\b(?:all|both|each|all of (?:them|it|these|those))(?: (?:of them|three|four|five))?(?: (?:due|are|is))?(?: (?:for|on|by))?\s*$/i;
/** Between a time and the one that counts instead. */
const CORRECTED =
  /^[\s.,…!?-]*(?:(?:no+|wait|sorry|actually|hm+|oh|or)[\s,.!…-]+)*(?:no+|wait|actually|rather|sorry|make (?:that|it)|i mean(?:t)?)\W*$/i;

/** "two days earlier... no, one day earlier": the time that a mark corrects. */
function replacedTime(mark: Mark, { text, marks }: Message): Mark | undefined {
  const before = marks[marks.indexOf(mark) - 1];
  return before?.kind === 'when' && CORRECTED.test(text.slice(before.end, mark.start)) ? before : undefined;
}

/** True if a day stands between this act and the next; a time of day goes together with a day before it. */
function hasOwnTime(act: MarkedAct, marks: readonly Mark[], timed: readonly MarkedAct[]): boolean {
  const next = timed[timed.indexOf(act) + 1]?.start ?? Number.POSITIVE_INFINITY;
  return marks.some(
    ({ kind, start, text }) => kind === 'when' && start >= act.end && start < next && !CLOCK.test(text),
  );
}

/** "milk, eggs and flour for Saturday": the time is for the whole list. */
function listedBefore(act: MarkedAct, timed: readonly MarkedAct[], text: string): MarkedAct[] {
  const listed: MarkedAct[] = [];
  for (let at = timed.indexOf(act) - 1; at >= 0; at--) {
    const [one, next] = [timed[at], timed[at + 1]];
    if (!one || !next || one.kind !== act.kind || one.when !== undefined || startsWithVerb(one.name)) break;
    if (!LINK.test(text.slice(one.end, next.start))) break;
    listed.push(one);
  }
  return listed;
}

function join(before: string | undefined, words: string): string {
  return before === undefined ? words : `${before} ${words}`;
}

function addTo(
  mark: Mark,
  acts: MarkedAct[],
  { kind, field, isOfNew = false }: { kind: 'ren' | 'note'; field: 'to' | 'text'; isOfNew?: boolean },
): void {
  const fits = (act: MarkedAct) => (act.kind === kind || (isOfNew && act.kind === 'add')) && act[field] === undefined;
  const owner = acts.findLast((act) => fits(act) && act.end <= mark.start) ?? acts.find(fits);
  if (owner) owner[field] = mark.text;
  else acts.push({ kind, name: '', [field]: mark.text, start: mark.start, end: mark.end });
}

function addException(mark: Mark, acts: MarkedAct[]): void {
  const owner = acts.findLast(({ kind, end }) => (kind === 'del' || kind === 'done') && end <= mark.start) ?? acts[0];
  if (owner) owner.except = owner.except === undefined ? mark.text : `${owner.except} and ${mark.text}`;
}
