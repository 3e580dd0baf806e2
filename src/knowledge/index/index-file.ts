import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { KnowledgeEntry } from '../../schema/knowledge/entry.ts';
import { openIndex } from './open-index.ts';
import { createVisibility, type Visibility } from './visible.ts';

export interface OpenFile {
  database: DatabaseSync;
  visibility: Visibility;
}

export type IndexFile = ReturnType<typeof createIndexFile>;

/** The index of one knowledge base, opened with the first use. */
export function createIndexFile(path: string, { visible_to, passage_words, records }: KnowledgeEntry) {
  const settings = ` ${passage_words} ${JSON.stringify(records ?? null)}`;
  let file: (OpenFile & { inode: number }) | undefined;
  let rebuilt: string | undefined;

  const close = () => {
    if (file?.database.isOpen) file.database.close();
    file = undefined;
  };
  const openAnew = (isDamaged: boolean): OpenFile => {
    close();
    const opened = openIndex(path, { settings, isDamaged });
    rebuilt = opened.rebuilt ?? rebuilt;
    const visibility = createVisibility(opened.database, visible_to);
    file = { database: opened.database, visibility, inode: inodeOf(path) };
    return file;
  };

  return {
    path,
    /** The open file. Opens it again if another process has made it again. */
    open: (): OpenFile => (file && inodeOf(path) === file.inode ? file : openAnew(false)),
    /** Replaces a damaged file by an empty one. */
    remake: () => void openAnew(true),
    /** Why the file was made again, until the next whole build. */
    rebuilt: () => rebuilt,
    setBuilt: () => {
      rebuilt = undefined;
    },
    close,
  };
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? -1;
}
