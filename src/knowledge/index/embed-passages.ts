import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import { BATCH, type Embedder } from '../../embeddings/embedder.ts';
import { toBytes } from '../../embeddings/quantize.ts';
import { AppError } from '../../errors.ts';
import { waitFor } from '../../models/wait.ts';
import { inTransaction } from './write-documents.ts';

/** A scan of more rows takes too long; further passages are found by their words. */
export const MAX_VECTORS = 50_000;
const REQUEST_MS = 120_000;
/** Waits before a request is sent again, unless the provider names a longer one. */
const RETRY_MS = [1_000, 5_000, 20_000];
const MAX_WAIT_SECONDS = 90;

interface EmbedOptions {
  embedder: Embedder;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Stores a vector for each passage whose text has none of this model. What is stored stays, so a build that is stopped
 * pays for no text twice. Returns a remark for the status if passages have no vector.
 */
export async function embedPassages(database: DatabaseSync, options: EmbedOptions): Promise<string | undefined> {
  const { embedder, signal } = options;
  const next = database.prepare(
    `SELECT p.id, p.hash, d.title, p.headings, p.text FROM passages p JOIN documents d ON d.id = p.document
     WHERE p.id > ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.hash = p.hash AND v.model = ?) ORDER BY p.id LIMIT ?`,
  );
  const add = database.prepare('INSERT OR REPLACE INTO vectors (hash, model, vector) VALUES (?, ?, ?)');
  inTransaction(database, () => database.exec('DELETE FROM vectors WHERE hash NOT IN (SELECT hash FROM passages)'));
  const count = () =>
    Number(database.prepare('SELECT count(*) AS n FROM vectors WHERE model = ?').get(embedder.model)?.n);
  try {
    for (let last = 0, left = MAX_VECTORS - count(); left > 0 && !signal.aborted; ) {
      const rows = next.all(last, embedder.model, Math.min(BATCH, left));
      if (rows.length === 0) return undefined;
      const vectors = await embedOften(
        rows.map(({ title, headings, text }) => `${title}\n${headings}\n\n${text}`),
        options,
      );
      inTransaction(database, () => {
        for (const [at, { hash }] of rows.entries())
          add.run(String(hash), embedder.model, toBytes(vectors[at] as Float32Array));
      });
      last = Number(rows.at(-1)?.id);
      left -= rows.length;
    }
  } catch (error) {
    if (!signal.aborted)
      return `${count()} passages have vectors, others are found by their words alone: ${describeFault(error)}`;
  }
  return signal.aborted
    ? undefined
    : `at most ${MAX_VECTORS} passages have vectors; others are found by their words alone`;
}

async function embedOften(
  texts: readonly string[],
  { embedder, clock, signal }: EmbedOptions,
): Promise<Float32Array[]> {
  for (const usualMs of [...RETRY_MS, undefined]) {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
      return await embedder.embed(texts, { isQuestion: false, signal: limited });
    } catch (error) {
      const { code, retryAfterSeconds = 0 } = error instanceof AppError ? error : {};
      if (usualMs === undefined || code !== 'model_rate_limited' || retryAfterSeconds > MAX_WAIT_SECONDS) throw error;
      await waitFor({ ms: Math.max(usualMs, retryAfterSeconds * 1_000), clock, signal });
    }
  }
  return [];
}

/** The sentence for the author; it names keys of `model`, and here they are those of `embedding`. */
export function describeFault(error: unknown): string {
  if (error instanceof AppError) return (error.author ?? error.message).replaceAll('model.', 'embedding.');
  return error instanceof Error ? error.message : String(error);
}
