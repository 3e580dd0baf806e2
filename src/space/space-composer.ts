import type { WordVectors } from '../language/word-vectors.ts';
import type { DataQuery, DataReading, DataVocabulary } from '../schema/data-query.ts';
import { writeEcho } from './answer/echo.ts';
import type { SpaceFile } from './load/space-file.ts';
import type { SpaceView } from './model/merge-models.ts';
import { hasMeasures } from './model/model.ts';
import { viewOf } from './read/choose.ts';
import type { Earlier } from './read/edit.ts';
import type { Item } from './read/items.ts';
import { createReader, type Reader, type Verdict } from './read/read.ts';
import type { SpaceViews } from './space-view.ts';
import { vocabularyOf } from './space-vocabulary.ts';

/** An open space of an agent. */
export interface ComposedSpace {
  file: SpaceFile;
  /** Its place among the tools of the agent; the first space that has a table counts its rows. */
  order: number;
  /** The name of its tool for query objects, with the prefix of its `tools` entry. */
  tool: string;
  /** The name of its tool for questions in words. */
  asks: string;
  views: SpaceViews;
}

interface Request {
  text: string;
  earlier?: (Omit<Earlier, 'parts'> & { parts: { tool: string; query: DataQuery }[] }) | undefined;
  isOffered(tool: string): boolean;
}

/** Reads questions over several spaces with one vocabulary. A space is a named part of it. */
export function createComposer(spaces: () => readonly ComposedSpace[], vectors: () => WordVectors) {
  const prepared = new Map<string, Promise<Reader>>();
  const prepare = (offered: readonly ComposedSpace[]): Promise<Reader> => {
    const key = offered.map(({ tool }) => tool).join(' ');
    const known = prepared.get(key);
    if (known) return known;
    const made = Promise.all(offered.map(({ views }) => views.view())).then((views) =>
      createReader(views, (word) => vectors().isWord(word)),
    );
    prepared.set(key, made);
    made.catch(() => prepared.delete(key));
    return made;
  };
  const offeredBy = (isOffered: (tool: string) => boolean) =>
    spaces()
      .filter(({ file, asks, tool }) => isOffered(asks) && isOffered(tool) && hasMeasures(file))
      .toSorted((a, b) => a.order - b.order);
  const words = new WeakMap<Reader, DataVocabulary>();
  return {
    async vocabulary(isOffered: (tool: string) => boolean): Promise<DataVocabulary | undefined> {
      const offered = offeredBy(isOffered);
      if (offered.length === 0) return undefined;
      const ready = await prepare(offered);
      const known = words.get(ready) ?? vocabularyOf(ready.views);
      words.set(ready, known);
      return known;
    },
    async compose({ text, earlier, isOffered }: Request) {
      const offered = offeredBy(isOffered);
      if (offered.length === 0) return undefined;
      const ready = await prepare(offered);
      const verdict = ready.read(text, earlier && toEarlier(earlier, offered));
      const reading = toReading(verdict, offered, ready.views);
      const isDeclined = verdict.kind === 'decline';
      return {
        reading: isDeclined ? { ...reading, choices: nearestNames(verdict.unknown, ready.views, vectors()) } : reading,
        nearest: nearestOf(verdict, offered).map(({ asks }) => asks),
        /** Tools of the last question, if this one continues it. */
        continued: verdict.isContinued ? (earlier?.parts ?? []).map(({ tool }) => tool) : [],
        evidence: evidenceOf(verdict.items, offered, ready.views),
      };
    },
  };
}

function toEarlier({ parts, ...rest }: NonNullable<Request['earlier']>, spaces: readonly ComposedSpace[]) {
  const own = parts.flatMap(({ tool, query }) => {
    const space = spaces.find((one) => one.tool === tool);
    return space ? [{ space: space.file.name, query }] : [];
  });
  // The calls of a turn end in any order; the one that ranks leads.
  const places = spaces.map(({ file }) => file.name);
  const rank = ({ query, space }: (typeof own)[number]) => (query.order ? -1 : places.indexOf(space));
  return { ...rest, parts: own.toSorted((a, b) => rank(a) - rank(b)) };
}

function toReading(verdict: Verdict, spaces: readonly ComposedSpace[], views: readonly SpaceView[]): DataReading {
  const { kind, confidence, echo, notes, unknown, choices, problem, spans } = verdict;
  const parts = verdict.parts.flatMap(({ space, query }) => {
    const own = spaces.find(({ file }) => file.name === space);
    return own ? [{ space, tool: own.tool, query, echo: writeEcho(query, viewOf(views, space)) }] : [];
  });
  const isAnswer = kind === 'answer';
  const reasons = isAnswer ? notes : problem === undefined ? [] : [problem];
  return { kind, echo, parts: isAnswer ? parts : [], confidence, reasons, not_understood: unknown, choices, spans };
}

const MOST_NEAREST = 3;
/** The cosine of "colour" and "fabric" is 0.44, of "staff" and "category" 0.37. */
const NEAR_ENOUGH = 0.4;

/** The measures and dimensions with a word near to an unknown one. They are offered, never taken. */
function nearestNames(unknown: readonly string[], views: readonly SpaceView[], { similarity }: WordVectors): string[] {
  const words = unknown.flatMap((text) => text.toLowerCase().split(' '));
  const things = views.flatMap(({ model }) => [...model.measures.values(), ...model.dimensions.values()]);
  const near = things.map(({ name, synonyms }) => {
    const pairs = [name, ...synonyms].flatMap((own) => words.map((word) => similarity(word, own)));
    return { name, likeness: Math.max(0, ...pairs) };
  });
  const best = near.filter(({ likeness }) => likeness >= NEAR_ENOUGH).toSorted((a, b) => b.likeness - a.likeness);
  return [...new Set(best.map(({ name }) => name))].slice(0, MOST_NEAREST);
}

/** The spaces of the reading, or those that have a figure of its words. */
function nearestOf({ parts, items }: Verdict, spaces: readonly ComposedSpace[]): ComposedSpace[] {
  if (parts.length > 0) return spaces.filter(({ file }) => parts.some(({ space }) => space === file.name));
  const [figure] = items
    .flatMap((item) => (item.kind === 'thing' ? item.senses : []))
    .filter(({ kind }) => kind === 'measure');
  return spaces.filter(({ views }) => figure?.kind === 'measure' && views.model.measures.has(figure.name)).slice(0, 1);
}

/** The words of the question that each space has a meaning for. */
function evidenceOf(items: readonly Item[], spaces: readonly ComposedSpace[], views: readonly SpaceView[]) {
  return spaces.map(({ file, asks }) => {
    const { model } = viewOf(views, file.name);
    const words = items.flatMap((item) => {
      if (item.kind !== 'thing') return [];
      const isOwn = item.senses.some((sense) => {
        if (sense.kind === 'measure') return model.measures.has(sense.name);
        if (sense.kind === 'table') return model.tables.has(sense.table);
        return sense.kind === 'filter' && model.filters.has(sense.name);
      });
      return isOwn ? [item.text] : [];
    });
    return { tool: asks, words };
  });
}
