/**
 * What reading files costs, measured on the real command: hostile files, ten large ones at once, a long PDF, pictures.
 * Linux only (memory is read from /proc). Run: npm run bench:files
 */
import { Readable } from 'node:stream';
import { createFileReader } from '../src/files/file-reader.ts';
import type { MimeType } from '../src/schema/file.ts';
import { HOSTILE_FILES } from '../test/files/hostile.ts';
import { fixture, fixtureText } from '../test/files/read-fixture.ts';
import { fiftyPages, tenLargeFiles } from './files/large-files.ts';
import { type ServedAgent, serveAgent } from './files/server.ts';

const LOOK_MS = 25;
/** A user may begin so many turns a minute. */
const PAUSE_MS = 1_050;

const row = (name: string, value: string, limit: string) =>
  console.log(`${name.padEnd(44)} ${value.padStart(24)}   must be ${limit}`);

await measureReader();
const server = await serveAgent();
await measureHostile(server);
await measureLarge(server);
await server.stop();

async function measureReader(): Promise<void> {
  const pdf = fiftyPages();
  row('50 pages of text as PDF', `${await timeOf('x.pdf', 'application/pdf', pdf)} ms`, '< 2,000 ms');
  for (const [name, words] of [
    ['note.jpg', 'note.txt'],
    ['letter-300dpi.png', 'letter-300dpi.txt'],
  ] as const) {
    const type = name.endsWith('png') ? 'image/png' : 'image/jpeg';
    const count = fixtureText(words).split(/\s+/).length;
    const first = await timeOf(name, type, fixture(name));
    row(`picture of ${count} words, its process started`, `${first} ms`, '< 3,000 ms');
  }
  const pages = await timesOfPages(fixture('scan.pdf'));
  row('scan inside a PDF, 15 words', `${pages.at(1)} ms`, '< 1,000 ms (later pages)');
}

async function timeOf(filename: string, mime_type: MimeType, bytes: Buffer): Promise<number> {
  const started = performance.now();
  const file = { filename, mime_type, size: bytes.length, open: () => Readable.from([bytes]) };
  const { verdict } = await createFileReader().read(file, { signal: new AbortController().signal });
  if (verdict !== 'read') throw new Error(`${filename} was not read`);
  return Math.round(performance.now() - started);
}

/** How long each page of a PDF took. */
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
  const before = server.memoryMb();
  const watch = watchServer(server);
  let longest = { ms: 0, name: '' };
  for (const { name, mime_type, build } of HOSTILE_FILES) {
    const { ms, verdicts } = await server.send([{ name, mime_type, bytes: await build() }]);
    if (verdicts.length !== 1) throw new Error(`${name} got no verdict`);
    if (ms > longest.ms) longest = { ms, name };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const { peakMb, healthMs } = watch.end();
  row(
    `${HOSTILE_FILES.length} hostile files, the longest (${longest.name})`,
    `${Math.round(longest.ms)} ms`,
    '≤ 15,000 ms',
  );
  row('  memory above what it was', `+${Math.round(peakMb - before)} MB`, '< +500 MB');
  row('  health meanwhile, p99', `${Math.round(healthMs)} ms`, '< 500 ms');
}

async function measureLarge(server: ServedAgent): Promise<void> {
  const files = await tenLargeFiles();
  const watch = watchServer(server);
  const { ms, verdicts } = await server.send(files);
  const { peakMb, healthMs } = watch.end();
  row('10 files of 10 MB at once, peak memory', `${Math.round(peakMb)} MB`, '< 600 MB');
  row('  answered after', `${Math.round(ms)} ms`, '< 60,000 ms');
  row('  health meanwhile, p99', `${Math.round(healthMs)} ms`, '< 500 ms');
  for (const [index, { verdict, detail }] of verdicts.entries()) {
    const { name, bytes } = files[index] ?? { name: '', bytes: Buffer.alloc(0) };
    console.log(`    ${name.padEnd(8)} ${(bytes.length / 1e6).toFixed(1)} MB  ${verdict}: ${detail}`);
  }
}

/** Looks at memory and health until it is told to end. */
function watchServer(server: ServedAgent): { end(): { peakMb: number; healthMs: number } } {
  const times: number[] = [];
  let peakMb = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      peakMb = Math.max(peakMb, server.memoryMb());
      times.push(await server.health());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  void look();
  return {
    end() {
      isOver = true;
      times.sort((a, b) => a - b);
      return { peakMb, healthMs: times[Math.floor(times.length * 0.99)] ?? 0 };
    },
  };
}
