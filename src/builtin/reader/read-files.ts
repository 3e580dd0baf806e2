import { readFileSync } from 'node:fs';
import type { ReaderFiles } from './reader.ts';

const FOLDER = new URL('./data/', import.meta.url);

/** Reads the trained reader: its tables, its vocabulary and the kernel. */
export function readFiles(folder: URL = FOLDER): ReaderFiles {
  const read = (name: string) => readFileSync(new URL(name, folder));
  const { index, pieces } = JSON.parse(read('reader.json').toString('utf8'));
  return { tables: new Uint8Array(read('reader.bin')), index, pieces, kernel: read('encoder-kernel.wasm') };
}
