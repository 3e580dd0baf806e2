import { parentPort } from 'node:worker_threads';
import type { Rows } from './quantize.ts';
import type { Near, ToScan } from './vector-scan.ts';

let rows: Rows | undefined;

parentPort?.on('message', ({ rows: loaded, question }: ToScan) => {
  rows = loaded ?? rows;
  question?.port.postMessage(rows ? nearest(rows, question) : []);
});

/** The rows with the highest cosine, best first. Rows that are not allowed are never compared. */
function nearest({ size, scales, numbers }: Rows, { query, count, allowed }: NonNullable<ToScan['question']>): Near[] {
  const cosines = new Float32Array(scales.length).fill(NEVER);
  for (let row = 0; row < scales.length; row++) {
    if (allowed && !allowed[row]) continue;
    let sum = 0;
    for (let at = 0, from = row * size; at < size; at++) sum += (query[at] as number) * (numbers[from + at] as number);
    cosines[row] = sum * (scales[row] as number);
  }
  const edge = Float32Array.from(cosines).sort().at(-count) ?? NEVER;
  const near: Near[] = [];
  for (const [row, cosine] of cosines.entries()) if (cosine > NEVER && cosine >= edge) near.push({ row, cosine });
  return near.sort((a, b) => b.cosine - a.cosine || a.row - b.row).slice(0, count);
}

/** Below every cosine. */
const NEVER = -2;
