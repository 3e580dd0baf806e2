import type { DataQuery } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import { canCompile, compileQuery } from '../sql/compile.ts';
import { NotExpressible } from '../sql/compile-scope.ts';
import { auditDraft } from './audit.ts';
import { compose } from './compose.ts';
import { MANY } from './compose-subject.ts';
import { type Draft, isOp, type Node, NotReadable } from './draft.ts';
import type { Item } from './items.ts';
import type { Sense } from './lexicon.ts';

export interface ReadPart {
  space: string;
  query: DataQuery;
}

export interface Candidate {
  parts: ReadPart[];
  query: DataQuery;
  draft: Draft;
  score: number;
}

export interface Choice {
  /** Readings that can be computed, best first. Equal queries are listed once. */
  candidates: Candidate[];
  /** Why the most promising reading failed. */
  problem?: string | undefined;
}

/** The spaces of an agent one by one, and merged to one model. */
export interface Spaces {
  views: readonly SpaceView[];
  merged: SpaceView;
}

const MAX_COMBINATIONS = 400;

/** Tries the senses of all words together. Each combination is composed, compiled and scored. */
export function chooseReading(items: readonly Item[], spaces: Spaces): Choice {
  const found = new Map<string, Candidate>();
  let failed: { problem: string; score: number } | undefined;
  for (const nodes of combinationsOf(items)) {
    const weight = nodes.reduce((sum, node) => sum + weightOf(node), 0);
    try {
      const { query, draft } = compose(spaces.merged, nodes);
      auditDraft(draft, query);
      const parts = splitQuery(query, spaces);
      for (const { space, query: own } of parts) compileQuery(own, compileOptions(spaces, space));
      const score = weight - draft.penalty - penaltyOf(draft, query, parts);
      if (score < -50) throw new NotReadable('these things do not belong together');
      const key = JSON.stringify(parts, (name, value) => (name === 'words' ? undefined : value));
      if ((found.get(key)?.score ?? -Infinity) < score) found.set(key, { parts, query, draft, score });
    } catch (error) {
      if (!(error instanceof NotReadable) && !(error instanceof NotExpressible)) throw error;
      if (!failed || failed.score < weight) failed = { problem: error.message, score: weight };
    }
  }
  const rank = new Map([...spaces.merged.model.measures.keys()].map((name, index) => [name, index]));
  const place = ({ query }: Candidate) => rank.get(query.measures[0]?.name ?? '') ?? 0;
  const candidates = [...found.values()].toSorted((a, b) => b.score - a.score || place(a) - place(b));
  return { candidates, problem: failed?.problem };
}

/** A closed word that also names something is mostly the closed word. */
export function weightOf({ sense, op, item, like }: Node): number {
  if (sense) return sense.weight;
  if (like !== undefined) return 3;
  if (item.kind !== 'thing' || !op || op.is === 'soft') return 0;
  return op.is === 'most' ? 4.5 : 2.5;
}

export function viewOf(views: readonly SpaceView[], space: string): SpaceView {
  const view = views.find(({ model }) => model.space === space);
  if (!view) throw new NotReadable(`there is no space ${space}`);
  return view;
}

export function compileOptions({ views }: Spaces, space: string) {
  const { model, facts } = viewOf(views, space);
  return { model, months: facts.months };
}

/** Every way to give each thing one of its senses. */
export function combinationsOf(items: readonly Item[]): Node[][] {
  const isChange = items.some((item) => item.kind === 'op' && item.op.is === 'change');
  const options = items.map((item, at): Node[] => {
    if (item.kind === 'op') return [{ item, op: item.op }];
    if (item.kind !== 'thing') return [{ item }];
    const senses = item.senses.filter(({ kind }) => kind !== 'role').toSorted((a, b) => b.weight - a.weight);
    // "Grew the fastest".
    if (isChange && /^(?:fastest|quickest|slowest)$/i.test(item.text))
      return [{ item, op: { is: 'most', direction: 'highest', word: 'most' } }];
    const own = senses.map((sense): Node => ({ item, sense }));
    for (const sense of senses)
      if (sense.kind === 'measure' && items.slice(0, at).some((other) => hasLonger(other, sense.name)))
        own.push({ item, op: { is: 'soft' }, like: sense.name });
    if (/^new$/i.test(item.text) && !item.op) own.push({ item, op: { is: 'soft' } });
    return item.op || own.length === 0 ? [...own, { item, op: item.op ?? { is: 'soft' } }] : own;
  });
  let most = 6;
  const count = () => options.reduce((product, list) => product * Math.min(list.length, most), 1);
  while (most > 1 && count() > MAX_COMBINATIONS) most--;
  const all = options.reduce<Node[][]>(
    (some, list) => some.flatMap((nodes) => list.slice(0, most).map((node) => [...nodes, node])),
    [[]],
  );
  // A word that belongs to the name of another figure counts only if that one is read.
  return all.filter((nodes) =>
    nodes.every(({ like }) => like === undefined || nodes.some(({ sense }) => isLonger(sense, like))),
  );
}

const isLonger = (sense: Sense | undefined, name: string) =>
  sense?.kind === 'measure' && sense.name.endsWith(` ${name}`);
const hasLonger = (item: Item, name: string) =>
  item.kind === 'thing' && item.senses.some((sense) => isLonger(sense, name));

/** "How many" asks for no amount of money. */
export function countsMoney({ nodes, view }: Draft, { measures: [first] }: DataQuery): number {
  const { currency } = view.model.measures.get(first?.name ?? '') ?? {};
  return currency !== undefined && nodes.some((node) => isOp(node, 'how_many')) ? 4 : 0;
}

/** Evidence against a reading as a whole. */
function penaltyOf(draft: Draft, query: DataQuery, parts: readonly ReadPart[]): number {
  const { model } = draft.view;
  const own = draft.asked?.table ?? draft.counted?.table;
  const tables = new Set(query.measures.map(({ name, among }) => among ?? model.measures.get(name)?.table));
  return (
    (parts.length - 1) * 2 +
    countsMoney(draft, query) +
    draft.bound.filter(({ table }) => table === own).length * 1.5 +
    draft.bound.filter(({ table, isNegated }) => !isNegated && !tables.has(table) && table !== own).length +
    strange(draft, query) +
    crowd(draft) -
    draft.nodes.filter(
      ({ sense }) => sense?.kind === 'dimension' && query.filters.some(({ dimension }) => dimension === sense.name),
    ).length
  );
}

/** "Stores" are locations rather than customers who came from a store: a word of several things means the fewest. */
function crowd({ nodes, asked, counted, groups, view }: Draft): number {
  const target = asked ?? counted ?? groups[0];
  const node = nodes[target?.at ?? -1];
  if (node?.sense?.kind !== 'value' || node.item.kind !== 'thing' || node.item.senses.length < 2) return 0;
  return (view.facts.values.get(target?.dimension ?? '')?.length ?? 0) > MANY ? 99 : 0;
}

/** Signs that a word was taken in the wrong sense. */
function strange({ nodes, view, asked, counted, bound, period }: Draft, query: DataQuery): number {
  const { model } = view;
  const named = new Set([
    ...bound.map(({ table }) => table),
    asked?.table,
    counted?.table,
    ...query.measures.map(({ name }) => model.measures.get(name)?.table),
  ]);
  const isNew = period !== null && nodes.some(({ sense, item }) => sense?.kind === 'value' && /^new$/i.test(item.text));
  const roles = nodes.flatMap(({ item }) =>
    item.kind === 'thing' && item.op?.is !== 'place'
      ? item.senses.flatMap((sense) => (sense.kind === 'role' ? [sense.table] : []))
      : [],
  );
  const isRoled = roles.length === 0 || roles.some((table) => named.has(table));
  // "Do we have", "now": a state rather than a flow.
  const asksNow = nodes.some(
    ({ op, item }) => op?.is === 'now' || /\bwe have\b|\bhave we got\b|^left$/i.test(item.text),
  );
  const isState = query.measures.some(({ name }) => model.tables.get(model.measures.get(name)?.table ?? '')?.snapshot);
  return (isRoled ? 0 : 2.5) + (asksNow && !isState ? 1 : 0) + (isNew ? 4 : 0);
}

/** The query of each space. A measure belongs to the first space that has it. */
export function splitQuery(query: DataQuery, { views }: Spaces): ReadPart[] {
  const names = [...query.measures.map(({ name }) => name), ...query.having.map(({ measure }) => measure)];
  const whole = views.find(
    ({ model }) => names.every((name) => model.measures.has(name)) && canCompile(query, { model }),
  );
  if (whole) return [{ space: whole.model.space, query }];
  const ownerOf = (name: string) => views.find(({ model }) => model.measures.has(name))?.model.space ?? '';
  const owners = [...new Set(query.measures.map(({ name }) => ownerOf(name)))];
  const [only, ...others] = owners;
  if (only === undefined) throw new NotReadable('it names nothing that is measured');
  if (others.length === 0) {
    if (query.having.some(({ measure }) => ownerOf(measure) !== only))
      throw new NotReadable('its conditions are in other data');
    return [{ space: only, query }];
  }
  if (query.having.length > 0 || query.per !== null || query.share !== 'none')
    throw new NotReadable('its figures are in different data');
  const isOrdered = (space: string) => query.order !== null && ownerOf(query.order.by) === space;
  return owners.map((space) => ({
    space,
    query: {
      ...query,
      measures: query.measures.filter(({ name }) => ownerOf(name) === space),
      ...(!isOrdered(space) && { order: null, limit: null, limit_within: null }),
    },
  }));
}
