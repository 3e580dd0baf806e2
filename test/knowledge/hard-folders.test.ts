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

const MANY = 300_000;
/** Each of them took minutes, or stopped the build: time must grow with the length, whatever the text is. */
const HARD = {
  'braces.md': `# x${'{#'.repeat(MANY)}\n\nThe gasket is green.\n`,
  'brackets.md': `# ${'!['.repeat(MANY)}\n\nThe valve is green.\n`,
  'deep.html': `${'<div>'.repeat(MANY)}<p>The cellar is green.`,
  'deep.json': '['.repeat(MANY) + ']'.repeat(MANY),
  'fences.md': `# F\n\n${'```\n'.repeat(MANY)}The fence is green.\n`,
  'front.md': `---\ntitle: x${' '.repeat(MANY)}y\n---\n\nThe wheel is green.\n`,
  'signs.md': `# ${'<'.repeat(MANY)}\n\nThe pump is green.\n`,
  'spaces.md': `# a${' '.repeat(MANY)}b\n\nThe turbine is green.\n`,
  'table.md': `# P\n\n${'| '.repeat(MANY * 3)}`,
  'title.md': `# ${'Title '.repeat(MANY)}\n\nThe rotor is green.\n`,
};

it('a document that is made to take long, or to break the build, is read or is a line of the status', async () => {
  const { base, docs } = openFolder();
  mkdirSync(docs);
  for (const [name, text] of Object.entries(HARD)) writeFileSync(join(docs, name), text);
  expect(await base.build()).toMatchObject({ read: Object.keys(HARD).length, isStopped: false });
  const { documents } = await base.status(ALL);
  const unread = documents.filter(({ state }) => state === 'unread');
  expect(unread.map(({ document, reason }) => [document, reason])).toEqual([
    ['shelves/deep.json', 'is nested too deeply, or damaged'],
  ]);
  const { hits } = await base.search('what is green?', { ...ALL, topK: 20 });
  expect(hits).toHaveLength(8);
  // A heading is shown with every passage below it.
  for (const { passage } of hits) expect([passage.title, ...passage.breadcrumb].join().length).toBeLessThan(500);
}, 60_000);
