import { DataQuery, type Period, type QuerySpan } from '../../schema/data-query.ts';
import { writeEcho } from '../answer/echo.ts';
import { mergeViews, type SpaceView } from '../model/merge-models.ts';
import { type Candidate, type Choice, chooseReading, type ReadPart, type Spaces, viewOf } from './choose.ts';
import type { Earlier } from './edit.ts';
import { continueQuery, withoutLead } from './follow.ts';
import { type Item, readItems } from './items.ts';
import { createLexicon } from './lexicon.ts';
import { asksOpenly, baseQuery, openChoices, readOverview } from './overview.ts';
import { aboutOf, pointBack } from './point.ts';
import { sortUnknown, withoutAsides } from './unknown.ts';

/** How a question is dealt with, before anything is computed. */
export interface Verdict {
  kind: 'answer' | 'ask' | 'decline';
  confidence: 'high' | 'medium' | 'low';
  parts: ReadPart[];
  /** The computation in one line. */
  echo: string;
  /** Notes on words left out and defaults taken, the most important first. */
  notes: string[];
  /** Words that the data has no meaning for. */
  unknown: string[];
  /** Other readings in one line each. */
  choices: string[];
  /** Why it is not answered. */
  problem?: string | undefined;
  items: readonly Item[];
  /** The words that became a part of the query. */
  spans: QuerySpan[];
  isContinued: boolean;
}

export interface Reader {
  views: readonly SpaceView[];
  /** `earlier` is absent for the first message of a conversation. */
  read(text: string, earlier?: Earlier): Verdict;
}

/** A second reading this near is said. */
const NEAR = 1;

/** Reads questions over the models of some spaces as over one. */
export function createReader(views: readonly SpaceView[], isEnglish: (word: string) => boolean): Reader {
  const merged = mergeViews(views);
  const spaces: Spaces = { views, merged };
  const lexicon = createLexicon(merged);
  const gate = createGate(merged);
  const { today } = merged.facts;
  const oldest = [...merged.facts.ranges.values()].map(({ from }) => from).toSorted()[0] ?? today;
  const itemsOf = (text: string, base?: Period) => readItems(text, { lexicon, today, oldest, isEnglish, base });
  /** A question that was not answered leaves what it named, and nothing to change. Thanks change nothing. */
  const contextOf = (before: Earlier): Earlier => {
    const missed = (before.missed ?? []).map((text) => itemsOf(text).items).findLast((items) => items.some(isSaid));
    return missed ? { parts: [], subject: baseQuery(missed, spaces) } : before;
  };
  const read = (message: string, before?: Earlier): Verdict => {
    const { text, isFresh } = withoutLead(message);
    const earlier = isFresh || !before ? undefined : contextOf(before);
    const base = earlier?.parts[0]?.query.period ?? earlier?.subject?.period ?? undefined;
    const { items: said, typos } = itemsOf(text, base);
    const { items: own, asides } = withoutAsides(text, said);
    const items = pointBack(own, { earlier, spaces });
    const known = readKnown(text, items, { earlier, spaces });
    if (known) return known;
    const continued = continueQuery(text, items, { earlier, spaces });
    const choice = continued ?? chooseReading(items, spaces);
    const verdict = decide(items, choice, { views, isContinued: continued !== undefined });
    const slips = typos.map(({ words, readAs }) => `"${words}" is read as "${readAs}"`);
    const notes = [...asides.map((aside) => `I left out "${aside}"`), ...verdict.notes, ...slips];
    const isPlain =
      verdict.kind === 'answer' &&
      notes.length === 0 &&
      !verdict.isContinued &&
      items.every((item, at) => item === own[at]);
    const isSure = isPlain && isSentence(text, before !== undefined) && isBest(choice) && gate(text, verdict.parts);
    return isSure ? { ...verdict, confidence: 'high', choices: [] } : { ...verdict, notes };
  };
  return { views, read };
}

const isSaid = (item: Item) => item.kind !== 'op' || item.op.is !== 'soft';

const EMPTY = { spans: [], notes: [], choices: [], unknown: [], isContinued: false, parts: [], echo: '' };

/** Questions that ask for no figure: an overview, or one that is asked back. */
function readKnown(
  text: string,
  items: readonly Item[],
  { earlier, spaces }: { earlier: Earlier | undefined; spaces: Spaces },
): Verdict | undefined {
  const isAbout = earlier !== undefined && /\b(?:that|it|this|those|they)\b/i.test(text);
  const overview = isAbout
    ? undefined
    : readOverview(text, items, { spaces, about: earlier && aboutOf(earlier, spaces) });
  if (overview) {
    const echo = echoOf(overview.parts, spaces.views);
    return { ...EMPTY, ...overview, echo, items, kind: 'answer', confidence: 'medium' };
  }
  if (!asksOpenly(items, earlier?.parts.length ? earlier : undefined)) return undefined;
  return { ...EMPTY, items, kind: 'ask', confidence: 'low', choices: openChoices(spaces.views) };
}

const isBest = ({ candidates: [best, second] }: Choice) => best !== undefined && (!second || second.score < best.score);

/** Answers with the best reading, unless an unknown word or the data speaks against it. */
function decide(
  items: readonly Item[],
  { candidates: [best, second], problem }: Choice,
  { views, isContinued }: { views: readonly SpaceView[]; isContinued: boolean },
): Verdict {
  const { blocking, left } = sortUnknown(items);
  const decline = { ...EMPTY, items, isContinued, kind: 'decline' as const, confidence: 'low' as const };
  if (!best) return { ...decline, unknown: [...blocking, ...left], problem };
  // A word that is left out may have been the figure or the part that is asked for.
  const isOpen = !isContinued && (best.draft.isImplied || best.draft.share !== 'none');
  const missing = [...blocking, ...(isOpen ? left.filter((word) => !/ly$/.test(word)) : [])];
  const outside = missing.length > 0 ? undefined : outsideOf(best, views);
  const { parts } = best;
  if (missing.length > 0 || outside !== undefined) return { ...decline, parts, unknown: missing, problem: outside };
  const omitted = left.length > 0 ? [`I left out ${left.map((word) => `"${word}"`).join(', ')}`] : [];
  const choices = second && second.score > best.score - NEAR ? [echoOf(second.parts, views)] : [];
  const notes = [...omitted, ...best.draft.notes];
  const answer = { kind: 'answer' as const, confidence: 'medium' as const, echo: echoOf(parts, views) };
  return { ...EMPTY, items, isContinued, ...answer, parts, notes, choices, spans: spansOf(best) };
}

/** The words of the question with the kind of their part. */
function spansOf({ draft }: Candidate): QuerySpan[] {
  return draft.nodes.flatMap(({ item, sense, op }, at) => {
    const part = sense?.kind ?? (item.kind === 'period' || item.kind === 'number' ? item.kind : op?.is);
    return part !== undefined && draft.used.has(at)
      ? [{ words: item.text, start: item.start, end: item.end, part }]
      : [];
  });
}

/** Within a conversation, words without a question may continue something that was not understood. */
function isSentence(text: string, isLater: boolean): boolean {
  return !isLater || /^(?:what|which|how|who|where|number|total|top|show)\b/i.test(text.trim());
}

function echoOf(parts: readonly ReadPart[], views: readonly SpaceView[]): string {
  return parts.map(({ space, query }) => writeEcho(query, viewOf(views, space))).join('; ');
}

/** A period before or after all data is no zero. */
function outsideOf({ parts }: Candidate, views: readonly SpaceView[]): string | undefined {
  for (const { space, query } of parts) {
    const { model, facts } = viewOf(views, space);
    const [first] = query.measures;
    const range = facts.ranges.get(first?.among ?? model.measures.get(first?.name ?? '')?.table ?? '');
    const period = query.without?.period ?? query.period;
    if (!range || !period) continue;
    const isOut = (one: Period | null) => one !== null && (one.to < range.from || one.from > range.to);
    if (isOut(period) || isOut(query.compare))
      return `the data covers ${range.from} to ${range.to}, and the question asks for ${period.from} to ${period.to}`;
  }
  return undefined;
}

/** Confirms a reading by a second, strict look at the question. */
type Gate = (text: string, parts: readonly ReadPart[]) => boolean;

/**
 * High confidence needs the author's word: the question is one of the verified questions, word by word, and its reading
 * is the query beside it. Case and punctuation may differ.
 */
function createGate({ model }: SpaceView): Gate {
  const known = new Map(model.verified.map(({ ask, query }) => [plainWords(ask), plainText(query)]));
  return (text, [only, ...others]) =>
    only !== undefined && others.length === 0 && known.get(plainWords(text)) === plainText(only.query);
}

function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}$%'’.,-]*[\p{L}\p{N}%]/gu) ?? []).join(' ');
}

/** A query as text: without the words of its periods, lists in one order. Without a limit the order changes no figure. */
function plainText(query: DataQuery): string {
  const order = query.limit === null ? null : query.order;
  const measures = query.measures.map((measure) => ({ ...measure, distinct: measure.distinct ?? null }));
  return JSON.stringify({ ...DataQuery.parse({ ...query, measures }), order }, (key, value) => {
    if (key === 'words') return undefined;
    return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value;
  });
}
