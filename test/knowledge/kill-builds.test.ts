import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';
import { pick } from '../long.ts';

it('a build that is killed at any moment is finished by the next one, and stores no passage twice', async () => {
  const { kills, files } = pick({ kills: 5, files: 200 }, { kills: 50, files: 400 });
  let at = 0;
  // Steps of the golden ratio: moments spread evenly over the build, the same in every run.
  const random = () => (++at * 0.618) % 1;
  expect(await killBuilds({ kills, files, random })).toEqual({ kills, documents: files, twice: 0, astray: 0 });
}, 300_000);

it('a build after a killed one reads only the documents that were not stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'docs'));
  for (let at = 0; at < 200; at++) writeFile(folder, at, 0);
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = { agent: 'a', name: 'docs', folder, data: folder, entry };
  expect(await endOf(startBuild(base, { killAt: 100 }))).toMatchObject({ isKilled: true });
  const next = openKnowledge({ ...base, clock: systemClock });
  onTestFinished(() => next.close());
  // The index stores 64 documents at once.
  expect(await next.build()).toMatchObject({ read: 200 - 64, unchanged: 64 });
  expect(countFaults(folder)).toEqual({ twice: 0, astray: 0 });
}, 60_000);

it('builds of several processes at once read each document once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'docs'));
  for (let at = 0; at < 100; at++) writeFile(folder, at, 0);
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = { agent: 'a', name: 'docs', folder, data: folder, entry };
  const builds = await Promise.all(Array.from({ length: 3 }, () => endOf(startBuild(base))));
  expect(builds.map(({ read }) => read).toSorted((a, b) => a - b)).toEqual([0, 0, 100]);
  expect(countFaults(folder)).toEqual({ twice: 0, astray: 0 });
}, 60_000);

const ROOT = join(import.meta.dirname, '../..');

interface KillReport {
  /** Builds that died by SIGKILL. */
  kills: number;
  documents: number;
  /** Places of a document that are stored more than once. */
  twice: number;
  /** Rows of the word index that differ from the passages. */
  astray: number;
}

/**
 * Starts builds in processes of their own and kills each at another moment with SIGKILL, until enough have died; between
 * them some files change. Then a last build runs to its end, and the index is compared with the files.
 */
async function killBuilds(options: { kills: number; files: number; random: () => number }): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-kill-'));
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = { agent: 'a', name: 'docs', folder, data: folder, entry };
  try {
    mkdirSync(join(folder, 'docs'));
    for (let at = 0; at < options.files; at++) writeFile(folder, at, 0);
    let kills = 0;
    let usualMs = FIRST_GUESS_MS;
    for (let run = 1; kills < options.kills && run <= options.kills * MOST_RUNS; run++) {
      const { isKilled } = await runAndKill(base, options.random() * usualMs);
      if (isKilled) kills++;
      usualMs = isKilled ? usualMs * 1.05 : usualMs * 0.8;
      for (let at = 0; at < options.files; at += 3) writeFile(folder, at, run);
    }
    const last = openKnowledge({ ...base, clock: systemClock });
    await last.build();
    const { documents } = await last.status({ groups: 'all' });
    await last.close();
    return { kills, documents: documents.length, ...countFaults(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FIRST_GUESS_MS = 400;
/** A build may end before its kill: so many builds for each kill are enough. */
const MOST_RUNS = 4;

function writeFile(folder: string, at: number, round: number): void {
  const text = Array.from({ length: 40 }, (_, line) => `Line ${line} of file ${at} in round ${round}.`).join('\n\n');
  writeFileSync(join(folder, 'docs', `f${at}.md`), `# File ${at}\n\n${text}\n`);
}

/** A build in a process of its own, which prints a dot with its first progress, and its report. `killAt`: it kills itself. */
function startBuild(base: object, { killAt = Number.MAX_SAFE_INTEGER } = {}) {
  const source = pathToFileURL(join(ROOT, 'src/knowledge/open-knowledge.ts')).href;
  const clock = pathToFileURL(join(ROOT, 'src/clock.ts')).href;
  const program = `
    import { openKnowledge } from '${source}';
    import { systemClock } from '${clock}';
    const base = openKnowledge({ ...JSON.parse(process.argv[1]), clock: systemClock });
    let isFirst = true;
    const { read } = await base.build({
      onProgress({ done }) {
        if (isFirst) process.stdout.write('.');
        isFirst = false;
        if (done >= ${killAt}) process.kill(process.pid, 'SIGKILL');
      },
    });
    process.stdout.write(String(read), () => process.exit(0));`;
  const args = ['--input-type=module', '--eval', program, JSON.stringify(base)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

interface BuildEnd {
  isKilled: boolean;
  /** The documents that it read, if it ended by itself. */
  read: number;
}

/** A build that fails by itself is neither an end nor a kill. */
async function endOf(child: ReturnType<typeof startBuild>): Promise<BuildEnd> {
  let text = '';
  child.stdout.on('data', (piece) => (text += piece));
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`a build ended with ${code ?? signal}`);
  return { isKilled: signal === 'SIGKILL', read: Number(text.replace('.', '')) };
}

/** The kill hits the build and not the start of the process. */
function runAndKill(base: object, afterMs: number): Promise<BuildEnd> {
  const child = startBuild(base);
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs));
  return endOf(child);
}

function countFaults(folder: string): Pick<KillReport, 'twice' | 'astray'> {
  const database = new DatabaseSync(join(folder, 'knowledge/a.docs.sqlite'));
  const count = (sql: string) => Number(database.prepare(sql).get()?.n);
  const twice = count(
    'SELECT count(*) AS n FROM (SELECT 1 FROM passages GROUP BY document, start HAVING count(*) > 1)',
  );
  const orphans = count('SELECT count(*) AS n FROM passages WHERE document NOT IN (SELECT id FROM documents)');
  // Every passage names its file, so the word index must hold the word once for each passage.
  const indexed = count(`SELECT count(*) AS n FROM words WHERE words MATCH '"file"'`);
  const stored = count('SELECT count(*) AS n FROM passages');
  database.close();
  return { twice, astray: orphans + Math.abs(indexed - stored) };
}
