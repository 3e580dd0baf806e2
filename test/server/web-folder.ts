import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../runtime.ts';

export const SCRIPT_NAME = 'index-DpA1b2C3.js';
export const SCRIPT = `console.log(${JSON.stringify('page '.repeat(100))});`;

/** A built page as the build creates it in dist/web, and a private file next to it. */
export function buildWebFolder(): string {
  const outer = temporaryFolder();
  const folder = join(outer, 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outer, 'secret.js'), 'private');
  const head = '<head><title>HoloDeck</title><script type="application/json" id="boot">{}</script></head>';
  writeFileSync(join(folder, 'index.html'), `<!doctype html><html>${head}<body><div id="root"></div></body></html>`);
  const put = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, 'assets', name), bytes);
  put(SCRIPT_NAME, SCRIPT);
  put(`${SCRIPT_NAME}.br`, brotliCompressSync(SCRIPT));
  put(`${SCRIPT_NAME}.gz`, gzipSync(SCRIPT));
  put('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  put('notes.txt', 'private');
  return folder;
}
