import { makeDraft } from './draft.ts';
import type { Draft, ReadItem } from './draft-shape.ts';
import type { Earlier } from './earlier.ts';
import { editEarlier } from './follow-up.ts';
import {
  addsToLast,
  followUpLead,
  isFragment,
  isSentence,
  pointsAtThing,
  pointsBack,
  replacedWords,
  stripFollowUp,
  stripGreeting,
} from './follow-up-words.ts';
import { isUnlimited } from './query-names.ts';
import type { Reading, ScoredCandidate } from './reading.ts';
import { scoreCandidate } from './score.ts';
import { type Candidate, settle } from './settle/settle.ts';
import { joinRankings, splitRankings } from './two-rankings.ts';
import type { Item } from './words/item.ts';
import { type ItemContext, type ReadItems, readItems } from './words/items.ts';
import { createLexicon, type Lexicon, type SpaceView } from './words/lexicon.ts';

export interface QuestionReader {
  /** With the last turn's query, a question that leans on it edits that query. */
  read(text: string, earlier?: Earlier): Reading;
  lexicon: Lexicon;
}

export interface ReaderOptions {
  views: readonly SpaceView[];
  isEnglish(word: string): boolean;
}

const MAX_COMBINATIONS = 400;
/** Readings whose scores differ by less than this are equal. */
export const EQUAL = 2;

/** Reads questions over one or several spaces. All senses of all words are tried; the best reading wins. */
export function createQuestionReader({ views, isEnglish }: ReaderOptions): QuestionReader {
  const lexicon = createLexicon(views);
  const ranges = views.flatMap(({ facts }) => [...facts.ranges.values()]);
  const oldest = ranges.map(({ from }) => from).toSorted()[0] ?? '1900-01-01';
  const today =
    views
      .map(({ facts }) => facts.today)
      .toSorted()
      .at(-1) ?? '';
  const passes = createPasses({ lexicon, today, oldest, isEnglish }, views);
  return {
    lexicon,
    read(text, earlier) {
      const plain = stripGreeting(text);
      const whole = passes.readRankings(plain) ?? passes.readWhole(plain);
      const lead = followUpLead(text);
      const there = pointsBack(text);
      const pronouns = [...pronounsOf(whole, earlier !== undefined), ...(there === undefined ? [] : [there])];
      // "And for Silver members?" has its subject from a question that was not answered.
      if (!earlier && lead !== undefined && !namesSubject(whole)) return { ...whole, candidates: [] };
      if (!earlier)
        return withUnknown(whole, [...(lead === undefined || /^and$/i.test(lead) ? [] : [lead]), ...pronouns]);
      const isWhole = whole.candidates.length > 0 && whole.unknown.length === 0 && namesSubject(whole);
      const isPart = isFragment(text) || (!isSentence(text) && !isRich(whole)) || addsToLast(text);
      if (lead === undefined && pronouns.length === 0 && isWhole && !isPart) {
        const isKept = isShort(text) && (keepsConditions(whole, earlier) || pointsAtWinner(text, earlier));
        return (isKept && passes.readKept(text, earlier)) || nearLast(whole, earlier, views);
      }
      const edited = passes.readMessage(text, earlier);
      const isEdited = edited.candidates.length > 0 && edited.unknown.length === 0;
      const isFallback = !isEdited && lead === undefined && pronouns.length === 0 && whole.candidates.length > 0;
      if (isFallback) return whole;
      // A message without a subject of its own continues the last one, also where that is not possible.
      const isBare = whole.candidates.length === 0 && whole.nearest?.query.measures.length === 0;
      const isContinued = lead !== undefined || pronouns.length > 0 || isBare;
      if (isEdited) return { ...edited, isEdit: true };
      return { ...(lead !== undefined || pronouns.length > 0 ? edited : whole), isEdit: isContinued };
    },
  };
}

/** The ways in which a text is read: as a question of its own, as two rankings, or as a change of the last question. */
function createPasses(context: ItemContext, views: readonly SpaceView[]) {
  return { readWhole, readRankings, readMessage, readKept };

  function readWhole(text: string): Reading {
    const { items, typos } = readItems(text, context);
    return toResult(text, { items, typos }, { make: (read) => settleOne(read, text, views), views });
  }

  /** Two rankings in one sentence: the second one is read as a change of the first. */
  function readRankings(text: string): Reading | undefined {
    const two = splitRankings(text);
    if (!two) return undefined;
    const first = readWhole(two.first);
    const [best] = first.candidates;
    if (!best?.query.order || first.unknown.length > 0) return undefined;
    return joinRankings(text, first, readEdit(two.second, { parts: best.parts, assumptions: [] }));
  }

  function readMessage(text: string, earlier: Earlier): Reading {
    return readEdit(stripFollowUp(text), {
      ...earlier,
      isPointing: pointsAtThing(text),
      isAdded: addsToLast(text),
      replaced: dimensionsIn(readItems(replacedWords(text), context).items),
    });
  }

  /** "How many purchases?" after visits of one channel: the conditions of the last question hold. */
  function readKept(text: string, earlier: Earlier): Reading | undefined {
    const assumptions = [...earlier.assumptions, 'the conditions of the last question are kept'];
    const kept = readEdit(stripFollowUp(text), { ...earlier, assumptions, isPointing: pointsAtThing(text) });
    return kept.candidates.length > 0 && kept.unknown.length === 0 ? { ...kept, isEdit: true } : undefined;
  }

  function readEdit(text: string, earlier: Earlier): Reading {
    const base = earlier.parts[0]?.query.period ?? undefined;
    const { items, typos } = readItems(text, { ...context, base }, { isEdit: true });
    const make = (read: ReadItem[]) => {
      const draft = makeDraft(read, text, { isEdit: true });
      return { ...editEarlier(read, text, earlier, views), draft };
    };
    return toResult(text, { items, typos }, { make, views });
  }
}

/** Tries every sense of every word; readings without problems come first. */
function toResult(
  text: string,
  { items, typos }: ReadItems,
  { make, views }: { make(read: ReadItem[]): Candidate & { draft: Draft }; views: readonly SpaceView[] },
): Reading {
  const all = combine(items).map((read) => scoreCandidate(make(read), views));
  const distinct = dropRepeated(all.toSorted((a, b) => a.score - b.score));
  const candidates = distinct.filter(({ problems }) => problems.length === 0);
  return {
    text,
    isEdit: false,
    unknown: findUnknown(items, text),
    typos,
    candidates,
    items,
    ...(candidates.length === 0 && { nearest: distinct[0] }),
  };
}

/** A message with conditions, groups or a period of its own is a question of its own. */
function isRich({ candidates }: Reading): boolean {
  const query = candidates[0]?.query;
  if (!query) return false;
  return query.filters.length + query.named.length + query.dimensions.length > 0 || query.period !== null;
}

/** A question of few words is rarely a new subject. */
const SHORT = 7;

function isShort(text: string): boolean {
  return text.trim().split(/\s+/).length <= SHORT;
}

/** A question without any condition, behind one that has some. */
function keepsConditions({ candidates }: Reading, { parts }: Earlier): boolean {
  const own = candidates[0]?.query;
  const base = parts[0]?.query;
  return own !== undefined && base !== undefined && isUnlimited(own) && own.share === 'none' && !isUnlimited(base);
}

/** "How many reviews does it have" after "which brand is rated lowest". */
function pointsAtWinner(text: string, { parts }: Earlier): boolean {
  const base = parts[0]?.query;
  return pointsAtThing(text) && base?.order != null && base.limit === 1;
}

/** The reading about the rows of the last question, among several equal ones. */
function nearLast(whole: Reading, { parts }: Earlier, views: readonly SpaceView[]): Reading {
  const [best, second] = whole.candidates;
  if (!best || !second || second.score >= best.score + EQUAL) return whole;
  const tableOf = (space: string, name: string) =>
    views.find(({ model }) => model.space === space)?.model.measures.get(name)?.table;
  const known = parts.flatMap(({ space, query }) => query.measures.map(({ name }) => tableOf(space, name)));
  const equal = whole.candidates.filter(({ score }) => score < best.score + EQUAL);
  const near = equal.filter(({ parts: own }) =>
    own.every(({ space, query }) => query.measures.every(({ name }) => known.includes(tableOf(space, name)))),
  );
  const [only] = near;
  if (near.length !== 1 || !only) return whole;
  const chosen = { ...only, assumptions: [...only.assumptions, 'the last question was about the same rows'] };
  return { ...whole, candidates: [chosen, ...whole.candidates.filter((one) => !equal.includes(one))] };
}

function dimensionsIn(items: readonly Item[]): string[] {
  return items.flatMap((item) =>
    item.kind === 'content' ? item.senses.flatMap((sense) => (sense.kind === 'dimension' ? [sense.name] : [])) : [],
  );
}

/** A message that names only values, groups or periods has its subject from the question before it. */
function namesSubject({ candidates }: Reading): boolean {
  const [best] = candidates;
  return (
    best !== undefined &&
    (best.draft.verbs.length > 0 || best.draft.mentions.some(({ sense }) => sense.kind !== 'dimension'))
  );
}

/** In a conversation "it" points at the last answer, unless this question names things of its own. */
function pronounsOf({ candidates, nearest }: Reading, isContinued: boolean): string[] {
  const [best = nearest] = candidates;
  if (!best) return [];
  const { pronouns, references, mentions } = best.draft;
  const hasThings = mentions.some(({ sense }) => sense.kind !== 'measure');
  return isContinued && !hasThings ? [...pronouns, ...references] : pronouns;
}

/** Without an earlier question, "those" and "what about" point at nothing. */
function withUnknown(reading: Reading, words: readonly string[]): Reading {
  return words.length === 0 ? reading : { ...reading, unknown: [...new Set([...reading.unknown, ...words])] };
}

/** "times" after a number belongs to it; every other unknown word is named. */
function findUnknown(items: readonly Item[], text: string): string[] {
  return items.flatMap((item, at) => {
    if (item.kind !== 'unknown') return [];
    return /^times?$/i.test(item.words) && items[at - 1]?.kind === 'number' ? [] : [wholeWord(item, text)];
  });
}

/** "left-handed" is named as a whole, although "left" is known. */
function wholeWord({ start, end }: Item, text: string): string {
  const before = /[\p{L}\p{N}-]*-$/u.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^-[\p{L}\p{N}-]*/u.exec(text.slice(end))?.[0] ?? '';
  return `${before}${text.slice(start, end)}${after}`;
}

/** Every choice of one sense for each word, up to a limit. */
function combine(items: readonly Item[]): ReadItem[][] {
  let combinations: ReadItem[][] = [[]];
  for (const item of items) {
    const choices: ReadItem[] = item.kind === 'content' ? item.senses.map((sense) => ({ ...item, sense })) : [item];
    const next = combinations.flatMap((read) => choices.map((choice) => [...read, choice]));
    combinations =
      next.length > MAX_COMBINATIONS ? combinations.map((read) => [...read, choices[0] ?? item] as ReadItem[]) : next;
  }
  return combinations;
}

function settleOne(items: ReadItem[], text: string, views: readonly SpaceView[]): Candidate & { draft: Draft } {
  const draft = makeDraft(items, text);
  return { ...settle(draft, views), draft };
}

function dropRepeated(sorted: readonly ScoredCandidate[]): ScoredCandidate[] {
  const seen = new Set<string>();
  return sorted.filter(({ query, parts, problems }) => {
    const key = JSON.stringify([query, parts.map(({ space }) => space), problems]);
    return !seen.has(key) && seen.add(key);
  });
}
