import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Log } from '../log.ts';
import type { KnowledgeEntry } from '../schema/knowledge/entry.ts';
import { createBuilder } from './index/builder.ts';
import { createIndexFile, type OpenFile } from './index/index-file.ts';
import { isDamage } from './index/open-index.ts';
import { readStatus } from './index/read-status.ts';
import type { KnowledgeBase } from './knowledge.ts';
import { openPassage } from './search/open-passage.ts';
import { DEFAULT_FLOOR, searchIndex } from './search/search-index.ts';
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

const UNUSED_EMBEDDING = 'embedding is not supported yet: passages are ranked by their words alone';

export function indexPath(data: string, agent: string, name: string): string {
  return join(data, 'knowledge', `${agent}.${name}.sqlite`);
}

/** Opens a knowledge base. Nothing is read before the first use. */
export function openKnowledge(options: KnowledgeOptions): KnowledgeBase {
  const { name, entry, clock, log, folder } = options;
  const file = createIndexFile(indexPath(options.data, options.agent, name), entry.visible_to);
  const sources = [entry.source].flat();
  const closing = new AbortController();
  const { signal } = closing;
  const remarks = entry.embedding === 'none' ? [] : [UNUSED_EMBEDDING];
  const builder = createBuilder({ file, folder, sources, clock, log, signal, remarks, reader: options.reader });
  let isKeptFresh = false;
  let stopWatching: (() => void) | undefined;

  /** Reads the index. One that is damaged, or was never built, is built first. */
  const read = async <T>(action: (file: OpenFile) => T): Promise<T> => {
    try {
      if (!isKeptFresh && !isBuilt(file.open()) && !builder.progress()) await builder.build();
      return action(file.open());
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
      const floor = entry.floor ?? DEFAULT_FLOOR;
      return withProgress(
        await read(({ database, visibility }) => searchIndex(database, query, { groups, topK, floor, visibility })),
      );
    },
    read: (document, start, end, given) =>
      read(({ database, visibility }) => openPassage(database, { document, start, end, ...given }, visibility)),
    status: async ({ groups }) => withProgress(await read((opened) => readStatus(opened, groups))),
    build: (given) => builder.build(given),
    keepFresh(notify = () => {}) {
      if (isKeptFresh || closing.signal.aborted) return;
      isKeptFresh = true;
      void freshen(notify).then(() => {
        if (!entry.watch || closing.signal.aborted) return;
        stopWatching = watchSources(folder, sources, { clock, onChange: () => void freshen(notify) });
      });
    },
    async close() {
      closing.abort();
      stopWatching?.();
      await builder.close();
      file.close();
    },
  };
}

function isBuilt({ database }: OpenFile): boolean {
  return database.prepare("SELECT 1 FROM meta WHERE key = 'built_at'").get() !== undefined;
}
