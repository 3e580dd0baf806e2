import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { KnowledgeEntry } from '../../schema/knowledge/entry.ts';
import { cutText } from '../cut/cut-text.ts';
import type { BuildProgress, BuildReport } from '../knowledge.ts';
import { type FoundFile, findFiles } from '../read/find-files.ts';
import { readDocument, stampOf, versionOf } from '../read/read-document.ts';
import { embedPassages } from './embed-passages.ts';
import { createWriter, type IndexWriter, type ReadDocument } from './write-documents.ts';

export interface BuildJob {
  database: DatabaseSync;
  /** The agent's folder. */
  folder: string;
  entry: KnowledgeEntry;
  embedder?: Embedder | undefined;
  reader: FileReader;
  clock: Clock;
  signal: AbortSignal;
  onProgress(progress: BuildProgress): void;
  /** Why the index is built again, if it is. */
  rebuilt?: string | undefined;
}

/** Documents of one transaction: a bound for memory, and for the work that a killed build repeats. */
const BATCH = { documents: 64, chars: 1_000_000 } as const;
/** Files that are read at the same time. */
const READS = 4;
/** A file written this shortly before it was read may be written again without a new time. */
const RACY_NS = 2_000_000_000n;
/** Joining the parts of the word index pays off if at least this share of the documents is new. */
const OPTIMIZE_SHARE = 0.2;

type KnownDocument = Pick<ReadDocument, 'version' | 'stamp' | 'places'>;

/** Brings the index up to date with the files. Call it with the build lock. Only a fault of the index throws. */
export async function buildIndex(job: BuildJob): Promise<BuildReport> {
  const { database, signal, clock } = job;
  const writer = createWriter(database);
  const { files, remarks } = await findFiles(job.folder, [job.entry.source].flat(), { signal });
  const known = knownDocuments(database);
  const paths = new Set(files.map(({ path }) => path));
  const removed = [...known.keys()].filter((path) => !paths.has(path));
  const report: BuildReport = { read: 0, removed: 0, unchanged: 0, passages: 0, isStopped: false };
  if (!signal.aborted) {
    writer.write([], removed);
    report.removed = removed.length;
    const again = job.rebuilt ? [`the index was built again: ${job.rebuilt}`] : [];
    writer.setMeta('remarks', JSON.stringify([...again, ...remarks]));
    const changed = await findChanged(files, known, { job, writer });
    report.unchanged = files.length - changed.length;
    await readAll(changed, { job, writer, report, total: files.length });
  }
  report.isStopped = signal.aborted;
  writer.setMeta('building', undefined);
  if (!report.isStopped) {
    if (report.read > files.length * OPTIMIZE_SHARE) writer.optimize();
    writer.setMeta('built_at', clock.date().toISOString());
  }
  if (job.embedder && !signal.aborted)
    writer.setMeta('vectors', await embedPassages(database, { embedder: job.embedder, clock, signal }));
  report.passages = Number(database.prepare('SELECT count(*) AS n FROM passages').get()?.n);
  return { ...report, ...(job.rebuilt !== undefined && { rebuilt: job.rebuilt }) };
}

function knownDocuments(database: DatabaseSync): Map<string, KnownDocument> {
  const rows = database.prepare('SELECT path, version, stamp, places FROM documents').all();
  return new Map(rows.map((row) => [String(row.path), row as unknown as KnownDocument])); // columns of these types
}

interface Building {
  job: BuildJob;
  writer: IndexWriter;
}

/** The files whose times or sizes differ from those at the last build, or that may have been written since. */
async function findChanged(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, KnownDocument>,
  { job, writer }: Building,
): Promise<FoundFile[]> {
  const changed: FoundFile[] = [];
  const moved = new Map<string, { stamp: string; places: string }>();
  for (const [index, found] of files.entries()) {
    if (job.signal.aborted) break;
    if (index % 256 === 0) await setImmediate();
    const before = known.get(found.path);
    const stamp = await stampOf(found.file);
    if (before && stamp !== undefined && stamp === before.stamp) {
      if (before.places !== found.places) moved.set(found.path, { stamp, places: found.places });
      continue;
    }
    const version = before && (await versionOf(found.file, job.signal));
    if (before && stamp !== undefined && version && 'version' in version && version.version === before.version)
      moved.set(found.path, { stamp: isRacy(stamp, job.clock) ? '' : stamp, places: found.places });
    else changed.push(found);
  }
  writer.touch(moved);
  return changed;
}

/** An empty stamp equals none, so that the next build compares the content. */
function isRacy(stamp: string, clock: Clock): boolean {
  const writtenNs = BigInt(stamp.split(' ')[1] ?? 0);
  return BigInt(clock.date().getTime()) * 1_000_000n - writtenNs < RACY_NS;
}

interface Reading extends Building {
  report: BuildReport;
  total: number;
}

async function readAll(changed: readonly FoundFile[], { job, writer, report, total }: Reading): Promise<void> {
  let batch: ReadDocument[] = [];
  let chars = 0;
  const flush = () => {
    writer.write(batch);
    report.read += batch.length;
    writer.setMeta('building', JSON.stringify({ done: report.unchanged + report.read, total }));
    batch = [];
    chars = 0;
  };
  const waiting = [...changed].reverse();
  const work = async () => {
    for (let found = waiting.pop(); found && !job.signal.aborted; found = waiting.pop()) {
      job.onProgress({ done: report.unchanged + report.read + batch.length, total, document: found.path });
      const document = await readFound(found, job);
      if (document === undefined) continue;
      batch.push(document);
      chars += document.text.length;
      if (batch.length >= BATCH.documents || chars >= BATCH.chars) flush();
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: READS }, work));
  flush();
  job.onProgress({ done: report.unchanged + report.read, total });
}

/** Undefined if the build was stopped meanwhile. A file that vanished is kept as a line of the status. */
async function readFound(found: FoundFile, job: BuildJob): Promise<ReadDocument | undefined> {
  const { path, places, file } = found;
  const stamp = (await stampOf(file)) ?? '';
  const version = await versionOf(file, job.signal);
  if (job.signal.aborted) return undefined;
  const readAt = job.clock.date().toISOString();
  const name = path.split('/').at(-1) ?? path;
  const base = { path, places, stamp: stamp && isRacy(stamp, job.clock) ? '' : stamp, readAt, title: name };
  const unread = { text: '', cuts: [], state: 'unread' as const };
  // Without a version, so that the file is read again once it is back.
  const gone = (reason: string): ReadDocument => ({ ...base, ...unread, stamp: '', version: '', reason });
  if ('problem' in version) return gone(version.problem);
  const { records, passage_words } = job.entry;
  try {
    const read = await readDocument(found, version, { ...job, records });
    if (job.signal.aborted) return undefined;
    if ('problem' in read) return gone(read.problem);
    const { text, kind, state, reason } = read;
    const { title = read.title ?? name, cuts } = cutText(text, kind, passage_words);
    return { ...base, title, version: version.version, state, ...(reason !== undefined && { reason }), text, cuts };
  } catch {
    // A document never stops a build.
    return { ...base, ...unread, version: version.version, reason: 'is nested too deeply, or damaged' };
  }
}
