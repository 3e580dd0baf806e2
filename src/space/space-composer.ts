import type { WordVectors } from '../language/word-vectors.ts';
import type { DataQuery, DataReading, DataVocabulary } from '../schema/data-query.ts';
import { writeEcho } from './guard/echo.ts';
import type { SpaceFile } from './load/space-file.ts';
import { hasMeasures } from './model/model.ts';
import { findExact } from './question/exact-question.ts';
import { judge, type Verdict } from './question/judge.ts';
import type { Reading } from './question/reading.ts';
import type { Item } from './question/words/item.ts';
import type { SpaceView } from './question/words/lexicon.ts';
import { prepareReader, type ReadySpaces, type SpaceViews } from './space-view.ts';
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

interface EarlierQueries {
  parts: { tool: string; query: DataQuery }[];
  assumptions: string[];
  shown?: { dimension: string; values: string[] };
  shownTime?: string;
}

interface Request {
  text: string;
  earlier?: EarlierQueries | undefined;
  isLater: boolean;
  isOffered(tool: string): boolean;
}

interface Composition {
  reading: DataReading;
  evidence: { tool: string; words: string[] }[];
  nearest: string[];
  /** Tools of the last question, if this one continues it. */
  continued: string[];
}

/** Reads questions over several spaces with one vocabulary. A space is a named part of it. */
export function createComposer(spaces: () => readonly ComposedSpace[], vectors: () => WordVectors) {
  const prepared = new Map<string, Promise<ReadySpaces>>();
  const prepare = (offered: readonly ComposedSpace[]): Promise<ReadySpaces> => {
    const key = offered.map(({ tool }) => tool).join(' ');
    const known = prepared.get(key);
    if (known) return known;
    const made = Promise.all(offered.map(({ views }) => views.view())).then((views) => prepareReader(views, vectors()));
    prepared.set(key, made);
    made.catch(() => prepared.delete(key));
    return made;
  };
  const offeredBy = (isOffered: (tool: string) => boolean) =>
    spaces()
      .filter(({ file, asks, tool }) => isOffered(asks) && isOffered(tool) && hasMeasures(file))
      .toSorted((a, b) => a.order - b.order);
  const words = new WeakMap<ReadySpaces, DataVocabulary>();
  return {
    async vocabulary(isOffered: (tool: string) => boolean): Promise<DataVocabulary | undefined> {
      const offered = offeredBy(isOffered);
      if (offered.length === 0) return undefined;
      const ready = await prepare(offered);
      const known = words.get(ready) ?? vocabularyOf(ready.views);
      words.set(ready, known);
      return known;
    },
    async compose({ text, earlier, isLater, isOffered }: Request): Promise<Composition | undefined> {
      const local = spaces()
        .filter(({ asks }) => isOffered(asks))
        .toSorted((a, b) => a.order - b.order);
      const trusted = await findTrusted(text, local);
      if (trusted)
        return {
          reading: emptyReading('trusted'),
          evidence: [{ tool: trusted.asks, words: [text] }],
          nearest: [],
          continued: [],
        };
      const offered = offeredBy(isOffered);
      if (offered.length === 0) return undefined;
      const ready = await prepare(offered);
      const known = earlier && toEarlier(earlier, offered);
      const reading = ready.reader.read(text, known);
      const queries = known?.parts.map(({ query }) => query);
      const verdict = judge(reading.text, reading, { ...ready, earlier: queries, isLater, asked: text });
      return {
        reading: toReading(verdict, offered, ready.views),
        nearest: nearestTools(reading, offered),
        continued: reading.isEdit ? (earlier?.parts ?? []).map(({ tool }) => tool) : [],
        evidence: evidenceOf(reading.items, offered, ready.views),
      };
    },
  };
}

async function findTrusted(text: string, spaces: readonly ComposedSpace[]): Promise<ComposedSpace | undefined> {
  for (const space of spaces) {
    if (space.file.questions.length === 0) continue;
    if (findExact(text, space.file.questions, await space.views.known())) return space;
  }
  return undefined;
}

function toEarlier({ parts, assumptions, shown, shownTime }: EarlierQueries, spaces: readonly ComposedSpace[]) {
  const own = parts.flatMap(({ tool, query }) => {
    const space = spaces.find((one) => one.tool === tool);
    return space ? [{ space: space.file.name, query }] : [];
  });
  return own.length > 0
    ? { parts: own, assumptions, ...(shown && { shown }), ...(shownTime !== undefined && { shownTime }) }
    : undefined;
}

function emptyReading(kind: DataReading['kind']): DataReading {
  return {
    kind,
    echo: '',
    parts: [],
    confidence: kind === 'trusted' ? 'high' : 'low',
    reasons: [],
    not_understood: [],
    choices: [],
    spans: [],
  };
}

function toReading(verdict: Verdict, spaces: readonly ComposedSpace[], views: readonly SpaceView[]): DataReading {
  const { kind, confidence, echo, reasons, notUnderstood, choices, candidate } = verdict;
  const parts = (candidate?.parts ?? []).flatMap(({ space, query }) => {
    const own = spaces.find(({ file }) => file.name === space);
    const view = views.find(({ model }) => model.space === space);
    return own && view ? [{ space, tool: own.tool, query, echo: writeEcho(query, view) }] : [];
  });
  return {
    kind,
    echo,
    parts,
    confidence,
    reasons,
    not_understood: notUnderstood,
    choices,
    spans: candidate?.spans ?? [],
  };
}

/** The tools of the spaces whose measures the nearest reading uses, also where it is not answered. */
function nearestTools({ candidates, nearest }: Reading, spaces: readonly ComposedSpace[]): string[] {
  const [best = nearest] = candidates;
  return spaces.filter(({ file }) => best?.spaces.includes(file.name)).map(({ asks }) => asks);
}

/** The words of the question that each space has a meaning for. */
function evidenceOf(
  items: readonly Item[],
  spaces: readonly ComposedSpace[],
  views: readonly SpaceView[],
): Composition['evidence'] {
  return spaces.map(({ file, asks }) => {
    const model = views.find((view) => view.model.space === file.name)?.model;
    const words = items.flatMap((item) => {
      if (item.kind !== 'content' || !model) return [];
      const isOwn = item.senses.some(
        (sense) => (sense.kind === 'measure' || sense.kind === 'hint') && sense.space === file.name,
      );
      const isTable = item.senses.some(
        (sense) => (sense.kind === 'noun' || sense.kind === 'verb') && model.tables.has(sense.table),
      );
      const isFilter = item.senses.some((sense) => sense.kind === 'filter' && model.filters.has(sense.name));
      return isOwn || isTable || isFilter ? [item.words] : [];
    });
    return { tool: asks, words };
  });
}
