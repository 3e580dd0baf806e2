/**
 * Measures the cost of reading files with the real command: hostile files, ten large ones at once, a long PDF,
 * pictures. Linux only (memory is read from /proc). Run: npm run bench -- files
 */
import { Readable } from 'node:stream';
import { createFileReader } from '../src/files/file-reader.ts';
import type { MimeType } from '../src/schema/file.ts';
import { HOSTILE_FILES } from '../test/files/hostile.ts';
import { fixture, fixtureText } from '../test/files/read-fixture.ts';
import { fiftyPages, scannedPages, tenLargeFiles } from './files/large-files.ts';
import { row, watchServer } from './files/report.ts';
import { type ServedAgent, serveAgent } from './files/server.ts';

/** Stays below the limit of turns per minute. */
const PAUSE_MS = 1_050;
const LATER_PAGES = 4;

await measureReader();
const server = await serveAgent();
await measureHostile(server);
await measureLarge(server);
await server.stop();

async function measureReader(): Promise<void> {
  const pdf = fiftyPages();
  row('50 pages of text as PDF', await timeOf('x.pdf', 'application/pdf', pdf), { below: 2_000 });
  for (const [name, words] of [
    ['note.jpg', 'note.txt'],
    ['letter-300dpi.png', 'letter-300dpi.txt'],
  ] as const) {
    const type = name.endsWith('png') ? 'image/png' : 'image/jpeg';
    const count = fixtureText(words).split(/\s+/).length;
    const first = await timeOf(name, type, fixture(name));
    row(`picture of ${count} words, its process started`, first, { below: 3_000 });
  }
  const short = await timesOfPages(fixture('scan.pdf'));
  row('scan inside a PDF, 15 words', short.at(1) ?? Number.NaN, { below: 1_000 });
  const [first = Number.NaN, ...later] = await timesOfPages(await scannedPages(LATER_PAGES + 1));
  row('scan inside a PDF, 227 words, first page', first, { below: 3_000 });
  row('  each later page', later.reduce((sum, ms) => sum + ms, 0) / later.length, { below: 1_000 });
}

async function timeOf(filename: string, mime_type: MimeType, bytes: Buffer): Promise<number> {
  const started = performance.now();
  const file = { filename, mime_type, size: bytes.length, open: () => Readable.from([bytes]) };
  const { verdict } = await createFileReader().read(file, { signal: new AbortController().signal });
  if (verdict !== 'read') throw new Error(`${filename} was not read`);
  return Math.round(performance.now() - started);
}

/** The time of each page of a PDF. */
async function timesOfPages(bytes: Buffer): Promise<number[]> {
  const marks: number[] = [];
  const file = {
    filename: 's.pdf',
    mime_type: 'application/pdf' as const,
    size: bytes.length,
    open: () => Readable.from([bytes]),
  };
  const onProgress = () => void marks.push(performance.now());
  await createFileReader().read(file, { signal: new AbortController().signal, onProgress });
  marks.push(performance.now());
  return marks.slice(1).map((mark, index) => Math.round(mark - (marks[index] ?? 0)));
}

async function measureHostile(server: ServedAgent): Promise<void> {
  const before = server.memory();
  const watch = watchServer(server);
  let longest = { ms: 0, name: '' };
  for (const { name, mime_type, build } of HOSTILE_FILES) {
    const { ms, verdicts } = await server.send([{ name, mime_type, bytes: await build() }]);
    if (verdicts.length !== 1) throw new Error(`${name} got no verdict`);
    if (ms > longest.ms) longest = { ms, name };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const { peak, healthMs } = watch.end();
  row(`${HOSTILE_FILES.length} hostile files, the longest (${longest.name})`, longest.ms, { below: 15_000 });
  const beside = residentOf(peak.resident - before.resident);
  row('  memory above what it was', peak.shared - before.shared, { below: 500, unit: 'MB', beside });
  row('  health meanwhile, p99', healthMs, { below: 500 });
}

async function measureLarge(server: ServedAgent): Promise<void> {
  const files = await tenLargeFiles();
  const watch = watchServer(server);
  const { ms, verdicts } = await server.send(files);
  const { peak, healthMs } = watch.end();
  const beside = residentOf(peak.resident);
  row('10 files of 10 MB at once, peak memory', peak.shared, { below: 600, unit: 'MB', beside });
  row('  answered after', ms, { below: 60_000 });
  row('  health meanwhile, p99', healthMs, { below: 500 });
  for (const [index, { verdict, detail }] of verdicts.entries()) {
    const { name, bytes } = files[index] ?? { name: '', bytes: Buffer.alloc(0) };
    console.log(`    ${name.padEnd(8)} ${(bytes.length / 1e6).toFixed(1)} MB  ${verdict}: ${detail}`);
  }
}

function residentOf(megabytes: number): string {
  return ` (RSS ${Math.round(megabytes)})`;
}
