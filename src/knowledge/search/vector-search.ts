import type { Clock } from '../../clock.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import { toRows } from '../../embeddings/quantize.ts';
import { createVectorScan } from '../../embeddings/vector-scan.ts';
import { describeFault, MAX_VECTORS } from '../index/embed-passages.ts';
import type { OpenFile } from '../index/index-file.ts';
import type { Groups } from '../knowledge.ts';

/** A passage that means nearly the same as the question. */
export interface NearPassage {
  id: number;
  /** The text that was compared; a passage with this id and another text is not meant. */
  hash: string;
  cosine: number;
}

type Asker = { groups: Groups; signal?: AbortSignal | undefined };

const NEAREST = 100;
/** A search never waits longer for the vector of its question. */
const QUESTION_MS = 2_000;
/** After a fault, searches do not ask the model for so long. */
const PAUSE_MS = 30_000;

export function createVectorSearch(embedder: Embedder, { clock }: { clock: Clock }) {
  const scan = createVectorScan();
  let revision: unknown;
  let places: { id: number; document: number; hash: string }[] = [];
  let fault: { text: string; atMs: number } | undefined;

  const load = ({ database }: OpenFile) => {
    const now = database.prepare("SELECT value FROM meta WHERE key = 'revision'").get()?.value;
    if (now === revision) return;
    const rows = database
      .prepare(
        `SELECT p.id, p.document, p.hash, v.vector FROM passages p JOIN vectors v ON v.hash = p.hash
         WHERE v.model = ? ORDER BY p.id LIMIT ?`,
      )
      .all(embedder.model, MAX_VECTORS);
    places = rows.map(({ id, document, hash }) => ({ id: Number(id), document: Number(document), hash: String(hash) }));
    scan.load(toRows(rows.map(({ vector }) => vector as Uint8Array))); // the column is a BLOB
    revision = now;
  };

  /** A byte for each row: 1 if the user may see its document. */
  const allowedRows = ({ database, visibility }: OpenFile, groups: Groups) => {
    const visible = visibility.condition(groups);
    if (!visible) return undefined;
    const sql = `SELECT document FROM (SELECT id AS document FROM documents) WHERE ${visible.sql}`;
    const seen = database.prepare(sql).all(visible.parameter);
    const documents = new Set(seen.map((row) => row.document));
    return Uint8Array.from(places, ({ document }) => Number(documents.has(document)));
  };

  return {
    /** The nearest passages that the user may see, best first. Empty if the model does not answer in time. */
    async find(file: OpenFile, query: string, { groups, signal: given }: Asker): Promise<NearPassage[]> {
      if (fault && clock.now() - fault.atMs < PAUSE_MS) return [];
      const limit = AbortSignal.timeout(QUESTION_MS);
      const signal = given ? AbortSignal.any([given, limit]) : limit;
      try {
        const [vector] = await embedder.embed([query], { isQuestion: true, signal });
        if (!vector) return [];
        load(file);
        const rows = places;
        if (rows.length === 0) throw new Error('no passage has a vector of this model yet; build the documents again');
        const allowed = allowedRows(file, groups);
        const near = await scan.find(vector, NEAREST, { signal, ...(allowed && { allowed }) });
        fault = undefined;
        return near.flatMap(({ row, cosine }) => (rows[row] ? [{ ...rows[row], cosine }] : []));
      } catch (error) {
        given?.throwIfAborted();
        const text = limit.aborted
          ? `${embedder.model} did not answer within ${QUESTION_MS / 1000} s`
          : describeFault(error);
        fault = { text: `questions are searched by their words alone: ${text}`, atMs: clock.now() };
        return [];
      }
    },
    /** Why the last question was answered from words alone. */
    fault: () => fault?.text,
    close: () => scan.close(),
  };
}
