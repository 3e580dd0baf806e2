import type { DataQuery } from '../../schema/data-query.ts';
import { canCompile } from '../sql/compile.ts';
import { NotExpressible } from '../sql/compile-scope.ts';
import {
  type Candidate,
  type Choice,
  chooseReading,
  combinationsOf,
  compileOptions,
  countsMoney,
  type Spaces,
  splitQuery,
  weightOf,
} from './choose.ts';
import { createDraft, NotReadable } from './draft.ts';
import { type Earlier, editQuery } from './edit.ts';
import type { Item } from './items.ts';
import { askAbout, type Context, isPicked, isPointed, isTask, pointAt } from './point.ts';

const OPENING =
  /^(?:and|but|what about|how about|only|just|now|same|also|then|instead|or|vs\.?|versus|add|excluding|without|except|as|in|for|per|by|split|break|show (?:that|it|this)|make (?:that|it)|leave|sort|not)\b/i;
/** "Thanks.", "no, …": words before the question that only answer. */
const COURTESY =
  /^(?:\s*(?:(?:ok(?:ay)?|thanks|thank you|hi|hello|hey|by the way|(?:good )?(?:morning|afternoon|evening))\b[\s,.!:;–-]+|(?:no|yes|so|hm+|good|great|nice|perfect|right|fine|cool|got it|alright|well|interesting|never ?mind)\s*[,.!:;–-]+\s+))+(?=\S)/i;
/** "Different topic:", "now something else –": the last question is over. */
const TOPIC =
  /^(?:now|and|on to|back to|next)?\s*(?:an? |the )?(?:(?:different|new|another|other|next|separate) (?:topic|question|subject|thing|matter)|something (?:else|different|other|\w+er))(?: quickly| now)?\s*[,.:;–-]+\s+/i;
const ADDING = /\b(?:also|too|as well|add|plus)\b/i;

/** The message with blanks in place of words that belong to no question. */
export function withoutLead(text: string): { text: string; isFresh: boolean } {
  const blank = (lead: string) => ' '.repeat(lead.length);
  const polite = text.replace(COURTESY, blank);
  const start = polite.length - polite.trimStart().length;
  const own = polite.slice(start).replace(TOPIC, blank);
  return { text: polite.slice(0, start) + own, isFresh: own.startsWith(' ') };
}

/**
 * Reads a message that continues the last question: "and …", "what about …", "only …", a pronoun, or a fragment that
 * names neither a figure nor what to ask for. Undefined for a question of its own.
 */
export function continueQuery(text: string, items: readonly Item[], context: Context): Choice | undefined {
  const { earlier, spaces } = context;
  const pronouns = items.filter((item) => item.kind === 'op' && item.op.is === 'pronoun');
  if (/\bdifference\b|\bchange\b|\bcompare\b/i.test(text) && /\b(?:two|both|them|those|these)\b/i.test(text))
    return compareLast(earlier, spaces);
  // "As a chart", "show all": the last answer in another form.
  const isForm = items.every((item) => isTask(item, 'soft', 'list', 'pronoun', 'verb', 'place', 'and'));
  if (isForm && earlier?.parts.length && /\b(?:chart|graph|plot|table|list|all)\b/i.test(text))
    return asItIs(earlier.parts, spaces);
  const isFragment = isPart(items);
  const pointsAtTime = items.some(isPointed);
  const points = pointsAtTime || (pronouns.length > 0 && !isOwnPronoun(items, earlier));
  const isReplacing = /\b(?:instead|rather than)\b/i.test(text);
  if (!OPENING.test(text.trim()) && !isFragment && !points && !isReplacing) return undefined;
  if (!earlier || earlier.parts.length === 0) {
    const isBare = earlier !== undefined || /^(?:and|what about|how about|same|only)\b/i.test(text.trim());
    const about = points && earlier?.subject && hasFigure(items) ? askAbout(items, earlier, spaces) : undefined;
    if (about && about.candidates.length > 0) return about;
    if (points && pronouns.length > 0)
      return { candidates: [], problem: `it is not clear what "${pronouns[0]?.text}" refers to` };
    return isBare && !hasFigure(items)
      ? { candidates: [], problem: 'it is not clear which question it continues; please ask it in full' }
      : undefined;
  }
  const isWhole =
    !isReplacing &&
    hasFigure(items) &&
    hasGroup(items) &&
    !points &&
    !/^(?:and|what about|how about|only|just|same)\b/i.test(text.trim());
  if (isWhole) return undefined;
  // "Which product sold best that day": a question of its own.
  const own = pointsAtTime && pronouns.length === 0 && hasFigure(items) ? chooseReading(items, spaces) : undefined;
  if (own && own.candidates.length > 0) return own;
  const kept = withoutReplaced(items);
  const isTotal = /\b(?:is|was|are|were) (?:that|it)\b|\bin total\b/i.test(text);
  if (points && !isTotal && hasFigure(kept) && isPicked(earlier, spaces)) return askAbout(kept, earlier, spaces);
  const found = candidatesOf(kept, { text, earlier, spaces });
  const isPlace = pronouns.some(({ text: word }) => /^there$/i.test(word));
  const about = points && !isPlace && found.candidates.length === 0 ? askAbout(kept, earlier, spaces) : found;
  if (about.candidates.length > 0) return about;
  return points || !hasFigure(kept) ? found : undefined;
}

/** "What is the difference between the two?": the last two questions side by side, if only their periods differ. */
function compareLast(earlier: Earlier | undefined, spaces: Spaces): Choice | undefined {
  const [last] = earlier?.parts ?? [];
  const [a, b] = [last?.query.period, earlier?.previous?.period];
  const plain = (query: DataQuery | undefined) => JSON.stringify({ ...query, period: null });
  if (!last || !a || !b || plain(last.query) !== plain(earlier?.previous)) return undefined;
  const query: DataQuery = {
    ...last.query,
    ...(a.from < b.from ? { compare: a, period: b } : { compare: b, period: a }),
  };
  return asItIs([{ space: last.space, query }], spaces);
}

function asItIs(parts: Earlier['parts'], { merged }: Spaces): Choice {
  const [first] = parts;
  const draft = createDraft(merged, []);
  return { candidates: first ? [{ parts: [...parts], query: first.query, draft, score: 0 }] : [] };
}

/** "Which product, and what is its price": the noun stands in the same question. */
function isOwnPronoun(items: readonly Item[], earlier: Earlier | undefined): boolean {
  const at = items.findIndex((item) => item.kind === 'op' && item.op.is === 'pronoun');
  const text = items[at]?.text.toLowerCase() ?? '';
  if ((earlier?.shown ?? earlier?.subject) && !items.slice(0, at).some((item) => isTask(item, 'and', 'versus')))
    return false;
  if (!/^(?:its|their|they|it|is that|was that|is it|was it)$/.test(text)) return false;
  return items.slice(0, at).some((item) => isThing(item, 'table', 'dimension', 'measure', earlier ? '' : 'value'));
}

const isThing = (item: Item, ...kinds: string[]) =>
  item.kind === 'thing' && item.senses.some(({ kind }) => kinds.includes(kind));
function hasFigure(items: readonly Item[]): boolean {
  return (
    items.some((item) => isThing(item, 'measure')) ||
    items.some((item, at) => isTask(item, 'how_many') && items.slice(at).some((one) => isThing(one, 'table')))
  );
}

function hasGroup(items: readonly Item[]): boolean {
  return items.some(
    (item, at) => isTask(item, 'by', 'per', 'each', 'grain') && (isTask(item, 'grain') || items[at + 1] !== undefined),
  );
}

/** Values, periods, groups or an order without a figure and without a thing that is asked for. */
function isPart(items: readonly Item[]): boolean {
  const things = items.filter((item) => item.kind !== 'op' || !['soft', 'place', 'verb'].includes(item.op.is));
  const [only, ...more] = things;
  if (!only) return false;
  const isAsk = only.kind === 'thing' && only.op?.is === 'ask';
  if (more.length === 0 && (isAsk || isThing(only, 'measure', 'value', 'filter'))) return true;
  if (hasFigure(items)) return false;
  const isTable = items.some((item) => isThing(item, 'table') && !isThing(item, 'value'));
  const asks = items.some((item) => isTask(item, 'ask', 'how_many', 'how_much', 'list'));
  if (!asks) return !isTable || hasGroup(items);
  return (
    items.some((item) => isTask(item, 'most', 'grain', 'operator')) && !items.some((item) => isThing(item, 'table'))
  );
}

/** "Revenue instead of units": the words behind it are replaced. */
function withoutReplaced(items: readonly Item[]): Item[] {
  const at = items.findIndex(({ text }) => /^(?:instead|rather)$/i.test(text));
  if (at < 0) return [...items];
  const isOf = /^(?:of|than)$/i.test(items[at + 1]?.text ?? '');
  return items.filter((_, place) => place !== at && !(isOf && place > at && place <= at + 3));
}

interface Continued {
  text: string;
  earlier: Earlier;
  spaces: Spaces;
}

/** The last query with the parts that the message names changed. */
function candidatesOf(said: readonly Item[], { text, earlier, spaces }: Continued): Choice {
  const [last] = earlier.parts;
  if (!last) return { candidates: [] };
  const whole: DataQuery = { ...last.query, measures: earlier.parts.flatMap(({ query }) => query.measures) };
  // "In that month": the month that a ranking found is no ranking any more.
  const start =
    earlier.shownTime !== undefined && said.some(isPointed)
      ? { ...whole, grain: null, order: null, limit: null }
      : whole;
  const { base, items } = pointAt(start, said, { earlier, spaces });
  const found: Candidate[] = [];
  let problem: string | undefined;
  for (const nodes of combinationsOf(items)) {
    try {
      const draft = createDraft(spaces.merged, nodes);
      const query = editQuery(draft, base, { isAdded: ADDING.test(text), earlier, last: whole });
      const all = splitQuery(query, spaces);
      // Of an overview, the figures that the change fits.
      const parts = all.filter(({ space, query: own }) => canCompile(own, compileOptions(spaces, space)));
      if (parts.length === 0 || (parts.length < all.length && earlier.parts.length === 1))
        throw new NotReadable('it does not fit the last question');
      if (parts.length < all.length) draft.notes.push('the other figures do not have that');
      if (query.order && !whole.order) parts.splice(1);
      const score = nodes.reduce((sum, node) => sum + weightOf(node), 0) - draft.penalty - countsMoney(draft, query);
      found.push({ parts, query, draft, score });
    } catch (error) {
      if (!(error instanceof NotReadable) && !(error instanceof NotExpressible)) throw error;
      problem ??= error.message;
    }
  }
  return { candidates: found.toSorted((a, b) => b.score - a.score), problem };
}
