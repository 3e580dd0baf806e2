import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { createEmbedder, type Embedder } from '../embeddings/embedder.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Log } from '../log.ts';
import type { KnowledgeEntry } from '../schema/knowledge/entry.ts';
import { createBuilder } from './index/builder.ts';
import { createIndexFile, type OpenFile } from './index/index-file.ts';
import { isDamage } from './index/open-index.ts';
import { readStatus } from './index/read-status.ts';
import type { KnowledgeBase } from './knowledge.ts';
import { openPassage } from './search/open-passage.ts';
import { searchIndex } from './search/search-index.ts';
import { createVectorSearch } from './search/vector-search.ts';
import { watchSources } from './watch-sources.ts';

export interface KnowledgeOptions {
  /** The name of the agent, and its folder. */
  agent: string;
  folder: string;
  name: string;
  entry: KnowledgeEntry;
  /** The data folder of this machine. */
  data: string;
  clock: Clock;
  log?: Log | undefined;
  reader?: FileReader;
}

export function indexPath(data: string, agent: string, name: string): string {
  return join(data, 'knowledge', `${agent}.${name}.sqlite`);
}

/** `starting`: the first build of `keepFresh` runs, and searches use what it has read so far. */
type Freshness = 'on demand' | 'starting' | 'kept fresh';

/** Opens a knowledge base. Nothing is read before the first use. */
export function openKnowledge(options: KnowledgeOptions): KnowledgeBase {
  const { name, entry, clock, log, folder } = options;
  const file = createIndexFile(indexPath(options.data, options.agent, name), entry);
  const sources = [entry.source].flat();
  const closing = new AbortController();
  const { signal } = closing;
  const embedder = openEmbedder(entry, clock);
  const vectors = embedder && createVectorSearch(embedder, { clock });
  const builder = createBuilder({ file, folder, entry, embedder, clock, log, signal, reader: options.reader });
  let state: Freshness = 'on demand';
  let stopWatching: (() => void) | undefined;

  /** Reads the index. One that is damaged, or was never built, is built first. */
  const read = async <T>(action: (file: OpenFile) => T | Promise<T>): Promise<T> => {
    try {
      if (state !== 'starting' && !isBuilt(file.open()) && !builder.progress()) await builder.build();
      return await action(file.open());
    } catch (error) {
      if (!isDamage(error)) throw error;
      log?.('an index is damaged and is built again', { index: file.path, reason: String(error) });
      file.remake();
      await builder.build();
      return action(file.open());
    }
  };
  const withProgress = <T extends object>(result: T) => {
    const building = builder.progress();
    return { ...result, ...(building && { building }) };
  };
  const freshen = async (notify: (text: string) => void) => {
    try {
      const { rebuilt, read: count, removed } = await builder.build();
      if (rebuilt) notify(`${name}: the index was built again, because ${rebuilt}.`);
      else if (stopWatching && count + removed > 0) notify(`${name}: ${count + removed} changed documents are in use.`);
    } catch (error) {
      log?.('a knowledge base could not be built', { name, reason: String(error) });
      notify(`${name}: the documents could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  return {
    name,
    entry,
    async search(query, { groups, topK = entry.top_k, signal }) {
      signal?.throwIfAborted();
      const near = vectors && (await read((opened) => vectors.find(opened, query, { groups, signal })));
      const asked = { groups, topK, entry, near };
      return withProgress(await read((opened) => searchIndex(opened, query, asked)));
    },
    read: (document, start, end, given) =>
      read(({ database, visibility }) => openPassage(database, { document, start, end, ...given }, visibility)),
    async status({ groups }) {
      const { remarks, ...status } = await read((opened) => readStatus(opened, groups));
      const fault = groups === 'all' ? vectors?.fault() : undefined;
      return withProgress({ ...status, remarks: fault === undefined ? remarks : [...remarks, fault] });
    },
    build: (given) => builder.build(given),
    keepFresh(notify = () => {}) {
      if (state !== 'on demand' || closing.signal.aborted) return;
      state = 'starting';
      void freshen(notify).then(() => {
        state = 'kept fresh';
        if (!entry.watch || closing.signal.aborted) return;
        stopWatching = watchSources(folder, sources, { clock, index: file.path, onChange: () => void freshen(notify) });
      });
    },
    async close() {
      closing.abort();
      stopWatching?.();
      vectors?.close();
      await builder.close();
      file.close();
    },
  };
}

function openEmbedder({ embedding, search_mode }: KnowledgeEntry, clock: Clock): Embedder | undefined {
  return embedding === 'none' || search_mode === 'keyword' ? undefined : createEmbedder(embedding, { clock });
}

function isBuilt({ database }: OpenFile): boolean {
  return database.prepare("SELECT 1 FROM meta WHERE key = 'built_at'").get() !== undefined;
}
