import type { DataQuery, QuerySpan } from '../../schema/data-query.ts';
import { resolveDimension } from '../model/resolve.ts';
import { makeDraft } from './draft.ts';
import type { Draft, ReadItem } from './draft-shape.ts';
import { isBeside } from './draft-walk.ts';
import { type Earlier, editEarlier, followUpLead, replacedWords, stripFollowUp } from './follow-up.ts';
import type { Reading, ScoredCandidate } from './reading.ts';
import { type Candidate, settle } from './settle/settle.ts';
import { joinRankings, splitRankings } from './two-rankings.ts';
import type { Item } from './words/item.ts';
import { type ReadItems, readItems } from './words/items.ts';
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
  const context = { lexicon, today, oldest, isEnglish };
  return {
    lexicon,
    read(text, earlier) {
      const whole = readRankings(text) ?? readWhole(text);
      const lead = followUpLead(text);
      const pronouns = pronounsOf(whole, earlier !== undefined);
      // "And for Silver members?" has its subject from a question that was not answered.
      if (!earlier && lead !== undefined && !namesSubject(whole)) return { ...whole, candidates: [] };
      if (!earlier)
        return withUnknown(whole, [...(lead === undefined || /^and$/i.test(lead) ? [] : [lead]), ...pronouns]);
      const isWhole = whole.candidates.length > 0 && whole.unknown.length === 0 && namesSubject(whole);
      if (lead === undefined && pronouns.length === 0 && isWhole) return whole;
      const edited = readEdit(stripFollowUp(text), {
        ...earlier,
        replaced: dimensionsIn(readItems(replacedWords(text), context).items),
      });
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
  const all = combine(items).map((read) => score(make(read), views));
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

const COSTS = {
  verb: 6,
  problem: 1_000,
  assumption: 10,
  weak: 5,
  measure: 3,
  space: 4,
  hop: 1,
  unbound: 3,
  hint: 2,
  distance: 3,
};

function isPicked(name: string, { measures }: DataQuery): boolean {
  return measures.some((measure) => measure.name === name);
}

function score(candidate: Candidate & { draft: Draft }, views: readonly SpaceView[]): ScoredCandidate {
  const { problems, assumptions, weak, query, parts, draft } = candidate;
  const cost =
    problems.length * COSTS.problem +
    assumptions.length * COSTS.assumption +
    weak.length * COSTS.weak +
    namesOf(query).size * COSTS.measure +
    verbsOverNouns(draft) * COSTS.verb +
    Math.max(0, parts.length - 1) * COSTS.space +
    parts.reduce((sum, { space, query: part }) => sum + hopsOf(part, space, views), 0) * COSTS.hop +
    unboundDimensions(draft) * COSTS.unbound +
    (candidate.distance ?? 0) * COSTS.distance;
  const spans = draft.items.flatMap(({ words, start, end }, at): QuerySpan[] => {
    const part = candidate.roles.get(at);
    return part === undefined ? [] : [{ words, start, end, part }];
  });
  const hints = draft.items.filter(
    (item) => item.kind === 'content' && item.sense.kind === 'hint' && isPicked(item.sense.name, query),
  );
  return { ...candidate, score: cost - hints.length * COSTS.hint, spans };
}

function namesOf({ measures, having }: DataQuery): Set<string> {
  return new Set([...measures.map(({ name }) => name), ...having.map(({ measure }) => measure)]);
}

/** "Orders" and "reviews" are nouns before they are verbs. */
function verbsOverNouns({ items }: Draft): number {
  return items.filter(
    (item) => item.kind === 'content' && item.sense.kind === 'verb' && item.senses.some(({ kind }) => kind === 'noun'),
  ).length;
}

function hopsOf(query: DataQuery, space: string, views: readonly SpaceView[]): number {
  const model = views.find((view) => view.model.space === space)?.model;
  const [first] = query.measures;
  const table = first?.among ?? model?.measures.get(first?.name ?? '')?.table;
  if (!model || table === undefined) return 0;
  const conditions = [...query.filters, ...(query.part?.filters ?? [])];
  const hops = conditions.map(({ dimension }) => {
    const found = resolveDimension(model, table, dimension);
    return found && 'place' in found ? found.place.path.length : 0;
  });
  return hops.reduce((sum, count) => sum + count, 0);
}

/** A dimension word beside a value of another dimension: "preferred channel Website". */
function unboundDimensions(draft: Draft): number {
  return draft.mentions.filter(({ sense, at }) => {
    if (sense.kind !== 'dimension') return false;
    const beside = draft.values.filter((value) => isBeside(draft, value.at, at));
    // The value behind the dimension is its own; only without one, the value before it is.
    const [own] = beside.toSorted((a, b) => b.at - a.at);
    return own !== undefined && own.sense.dimension !== sense.name;
  }).length;
}

function dropRepeated(sorted: readonly ScoredCandidate[]): ScoredCandidate[] {
  const seen = new Set<string>();
  return sorted.filter(({ query, parts, problems }) => {
    const key = JSON.stringify([query, parts.map(({ space }) => space), problems]);
    return !seen.has(key) && seen.add(key);
  });
}
