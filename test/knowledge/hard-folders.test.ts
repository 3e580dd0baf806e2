import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';
import { pick } from '../long.ts';
import { temporaryFolder } from '../runtime.ts';

const ALL = { groups: 'all' } as const;
/** As many as are read; others are left out. */
const MAX_FILES = 50_000;

function openFolder() {
  const folder = temporaryFolder();
  const entry = KnowledgeEntry.parse({ source: './shelves' });
  const base = openKnowledge({ agent: 'a', name: 'docs', folder, data: folder, entry, clock: systemClock });
  onTestFinished(() => base.close());
  return { base, docs: join(folder, 'shelves') };
}

it('a file that vanishes while the build runs is a line of the status, and the next build forgets it', async () => {
  const { base, docs } = openFolder();
  mkdirSync(docs);
  for (let at = 0; at < 40; at++) writeFileSync(join(docs, `f${at}.md`), `# File ${at}\n\nThe text of file ${at}.`);
  const gone: string[] = [];
  const report = await base.build({
    onProgress({ document = '' }) {
      if (!/[37]\.md$/.test(document)) return;
      gone.push(document);
      rmSync(join(docs, '..', document), { force: true });
    },
  });
  expect(report).toMatchObject({ read: 40, passages: 40 - gone.length, isStopped: false });
  const { documents } = await base.status(ALL);
  const unread = documents.filter(({ state }) => state === 'unread');
  expect(unread.map(({ document, reason }) => ({ document, reason }))).toEqual(
    gone.toSorted().map((document) => ({ document, reason: 'does not exist' })),
  );
  expect(await base.build()).toMatchObject({ removed: gone.length, unchanged: 40 - gone.length });
});

it('a folder with very many files is read up to a limit, which the status names', async () => {
  const { base, docs } = openFolder();
  const count = pick(1_000, 100_000);
  for (let at = 0; at < count; at++) {
    const folder = join(docs, String(at % 100));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.md`), `# Part ${at}\n\nThe part with number ${at} is in shelf ${at % 7}.`);
  }
  const read = Math.min(count, MAX_FILES);
  expect(await base.build()).toMatchObject({ read, passages: read, isStopped: false });
  const left = `${count - read} files were left out: at most ${MAX_FILES} are read`;
  expect((await base.status(ALL)).remarks).toEqual(count > read ? [left] : []);
  expect((await base.search('which shelf holds part 100?', ALL)).hits[0]?.passage.document).toBe('shelves/0/100.md');
}, 900_000);
