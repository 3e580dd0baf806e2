import type { KnowledgeEntry } from '../schema/knowledge/entry.ts';

/**
 * The interface of a knowledge base: the documents of one `knowledge` entry, cut into passages and indexed on this
 * machine. Every reading function takes the groups of the user who asks; there is no default.
 */

/** The groups of the user who asks. `all` is the local account, which sees every folder. */
export type Groups = readonly string[] | 'all';

export interface Passage {
  /** Stable for the same text at the same place of the same document version. */
  id: string;
  /** The path of the file inside the agent's folder, with `/`. */
  document: string;
  /** The title of the document: its first heading, else its file name. */
  title: string;
  /** The page on which the passage begins, for documents that have pages. */
  page?: number;
  /** The headings above the passage, outermost first, without the title. */
  breadcrumb: readonly string[];
  /** A hash of the file's bytes. */
  version: string;
  /** The place in the text of the document, in UTF-16 units: `text.slice(start, end)`. */
  start: number;
  end: number;
  text: string;
}

interface Hit {
  passage: Passage;
  /** Orders the hits; comparable within one search only. */
  score: number;
  /** How much of the question the passage covers, 0 to 1; comparable with the floor. */
  support: number;
  /** The cosine of its vector and the question's, if it was found by vectors. */
  similarity?: number;
  isAboveFloor: boolean;
}

export type NearHeading = Pick<Passage, 'document' | 'title' | 'breadcrumb'>;

export interface SearchResult {
  /** Best first. Passages below the floor are included and marked. */
  hits: readonly Hit[];
  /** True if at least one hit is above the floor. */
  isFound: boolean;
  /** Up to three headings of visible passages that come nearest, for a refusal. */
  headings: readonly NearHeading[];
  /** Present while a build runs: only the documents read so far were searched. */
  building?: BuildProgress;
}

interface SearchOptions {
  groups: Groups;
  /** Absent = `top_k` of the entry. */
  topK?: number;
  signal?: AbortSignal;
}

export interface BuildProgress {
  /** Documents that are up to date, and all documents. */
  done: number;
  total: number;
  /** The document that is read now. */
  document?: string;
  /** Another process builds; this one waits for it. */
  isWaiting?: true;
}

export interface BuildReport {
  /** Documents read, removed and left as they were. */
  read: number;
  removed: number;
  unchanged: number;
  passages: number;
  /** Why the whole index was built again, if it was: it was damaged, or of another format. */
  rebuilt?: string;
  isStopped: boolean;
}

export interface BuildOptions {
  onProgress?(progress: BuildProgress): void;
  signal?: AbortSignal;
}

/** A line of `status`. */
export interface DocumentState {
  document: string;
  title: string;
  /** `partly` and `unread` have a reason. */
  state: 'read' | 'partly' | 'unread';
  reason?: string;
  version: string;
  passages: number;
  /** When the document was read, as an ISO time. */
  readAt: string;
}

export interface KnowledgeStatus {
  documents: readonly DocumentState[];
  passages: number;
  /** Remarks about the whole source: files left out, links that leave the folder, an index built again. */
  remarks: readonly string[];
  /** When the last build ended, as an ISO time; absent before the first. */
  builtAt?: string;
  building?: BuildProgress;
}

/** A passage that was opened by its place. */
export interface OpenedPassage {
  passage: Passage;
  /** False if the file has changed since the given version. */
  isCurrent: boolean;
}

export interface ReadOptions {
  groups: Groups;
  /** The version of a citation; absent = the current one. */
  version?: string;
  /** The quote of a citation. If the file has changed, the passage nearest to the quote is returned. */
  quote?: string;
}

export interface KnowledgeBase {
  readonly name: string;
  readonly entry: KnowledgeEntry;
  search(query: string, options: SearchOptions): Promise<SearchResult>;
  /** The text at a place of a document. Undefined if there is no such document, or the user may not see it. */
  read(document: string, start: number, end: number, options: ReadOptions): Promise<OpenedPassage | undefined>;
  /** The documents that the user may see. */
  status(options: { groups: Groups }): Promise<KnowledgeStatus>;
  /** Reads what has changed. A build of another process is awaited. Rejects only if the index cannot be written. */
  build(options?: BuildOptions): Promise<BuildReport>;
  /** Builds in the background, then again after changes if the entry says `watch`. Never throws. */
  keepFresh(notify?: (text: string) => void): void;
  /** Stops a running build and watching. Idempotent. */
  close(): Promise<void>;
}
