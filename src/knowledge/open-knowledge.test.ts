import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { systemClock } from '../clock.ts';
import { createFileReader } from '../files/file-reader.ts';
import { KnowledgeEntry } from '../schema/knowledge/entry.ts';
import type { KnowledgeBase } from './knowledge.ts';
import { openKnowledge } from './open-knowledge.ts';

const ALL = { groups: 'all' } as const;

function open(folder: string, parts: Record<string, unknown> = {}, data = folder, clock = systemClock): KnowledgeBase {
  const entry = KnowledgeEntry.parse({ source: './pages', ...parts });
  const base = openKnowledge({ agent: 'a', name: 'pages', folder, data, entry, clock });
  onTestFinished(() => base.close());
  return base;
}

function write(folder: string, files: Record<string, string | Buffer>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, 'pages', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'pages', path), content);
  }
  return folder;
}

const LEAVE =
  '# Leave\n\n## Holidays\n\nEvery employee has 30 days of holidays.\n\n## Sickness\n\nCall HR-12 on the first day.';

describe('a knowledge base', () => {
  it('finds, opens and lists passages, and reads only what has changed', async () => {
    const folder = write(temporaryFolder(), { 'leave.md': LEAVE, 'cars.txt': 'The car park is in the yard.' });
    const base = open(folder);
    expect(await base.build()).toMatchObject({ read: 2, unchanged: 0, passages: 2, isStopped: false });
    const { hits, isFound, headings } = await base.search('How many holidays does an employee have?', ALL);
    expect({ isFound, headings: headings[0] }).toEqual({
      isFound: true,
      headings: { document: 'pages/leave.md', title: 'Leave', breadcrumb: [] },
    });
    const passage = hits[0]?.passage;
    expect(passage).toMatchObject({ document: 'pages/leave.md', title: 'Leave', start: 0, end: LEAVE.length });
    expect(passage?.text).toBe(LEAVE);
    const opened = await base.read('pages/leave.md', 10, 40, ALL);
    expect(opened).toMatchObject({ isCurrent: true, passage: { start: 10, end: 40, text: LEAVE.slice(10, 40) } });

    write(folder, { 'cars.txt': 'The car park is closed.', 'new.md': '# New\n\nBikes are welcome.' });
    rmSync(join(folder, 'pages/leave.md'));
    expect(await base.build()).toMatchObject({ read: 2, removed: 1, unchanged: 0 });
    expect(await base.build()).toMatchObject({ read: 0, removed: 0, unchanged: 2 });
    expect((await base.status(ALL)).documents.map(({ document }) => document)).toEqual([
      'pages/cars.txt',
      'pages/new.md',
    ]);
    expect((await base.search('holidays', ALL)).hits).toEqual([]);
  });

  it('finds ids and quoted phrases, and nothing for small talk or foreign questions', async () => {
    const base = open(
      write(temporaryFolder(), { 'leave.md': LEAVE, 'x.md': 'HR and the number 12 are elsewhere in 12 HR.' }),
    );
    expect((await base.search('what is HR-12', ALL)).hits[0]?.passage.document).toBe('pages/leave.md');
    expect((await base.search('"first day"', ALL)).hits[0]?.passage.document).toBe('pages/leave.md');
    expect(await base.search('Hello, thanks!', ALL)).toEqual({ hits: [], isFound: false, headings: [] });
    expect(await base.search('Which planet has the most moons?', ALL)).toMatchObject({ isFound: false });
    for (const odd of ['"', '(a OR', 'NEAR(', '* ^ : -', 'a AND NOT b', '\0'])
      expect(await base.search(odd, ALL)).toHaveProperty('hits');
  });

  it('needs two words of a question, and words that no document has do not decide', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`${at}.md`, `# Page ${at}\n\nText ${at}.`]),
    );
    const base = open(write(temporaryFolder(), { ...pages, 'leave.md': LEAVE }));
    expect(await base.search('Employee moons', ALL)).toMatchObject({ isFound: false });
    expect(await base.search('Holidays of an employee on vacation, gradually?', ALL)).toMatchObject({ isFound: true });
  });

  it('opens the nearest passage of a file that has changed since it was cited', async () => {
    const folder = write(temporaryFolder(), { 'leave.md': LEAVE });
    const base = open(folder);
    const version = (await base.search('holidays', ALL)).hits[0]?.passage.version ?? '';
    write(folder, { 'leave.md': LEAVE.replace('30', '28') });
    await base.build();
    const opened = await base.read('pages/leave.md', 0, 20, { ...ALL, version, quote: 'has 30 days of holidays' });
    expect(opened).toMatchObject({ isCurrent: false, passage: { text: expect.stringContaining('28 days') } });
    expect(await base.read('pages/gone.md', 0, 20, ALL)).toBeUndefined();
  });

  it('has a line for each file that cannot be read, and reads the others', async () => {
    const folder = write(temporaryFolder(), {
      'broken.pdf': '%PDF-1.7 nothing more',
      'binary.txt': Buffer.from([0, 1, 2]),
      'empty.md': '',
      'leave.md': LEAVE,
      'large.csv': '',
    });
    truncateSync(join(folder, 'pages/large.csv'), 200_000_000);
    const base = open(folder);
    expect(await base.build()).toMatchObject({ read: 5, passages: 1 });
    const { documents } = await base.status(ALL);
    expect(documents.map(({ document, state, reason }) => ({ document, state, reason }))).toEqual([
      { document: 'pages/binary.txt', state: 'unread', reason: 'is binary, not text' },
      { document: 'pages/broken.pdf', state: 'unread', reason: expect.stringContaining('damaged') },
      { document: 'pages/empty.md', state: 'read' },
      { document: 'pages/large.csv', state: 'unread', reason: 'is larger than 50 MB' },
      { document: 'pages/leave.md', state: 'read' },
    ]);
  });

  it.each(['gone.md', 'gone.pdf'])(
    'a build goes on if %s vanishes while it is read, and reads it when it is back',
    async (name) => {
      // Larger than what is kept of a file between its hash and its reading.
      const text = 'holidays '.repeat(250_000);
      const folder = write(temporaryFolder(), { [name]: text, 'leave.md': LEAVE });
      const file = join(folder, 'pages', name);
      const reader = createFileReader();
      let isRemoved = false;
      const read: typeof reader.read = (asked, options) => {
        if (asked.filename.endsWith(name) && !isRemoved) {
          renameSync(file, `${folder}/away`);
          isRemoved = true;
        }
        return reader.read(asked, options);
      };
      const entry = KnowledgeEntry.parse({ source: './pages' });
      const parts = { agent: 'a', name: 'pages', folder, data: folder, entry, clock: systemClock };
      const base = openKnowledge({ ...parts, reader: { ...reader, read } });
      onTestFinished(() => base.close().then(() => reader.close()));
      expect(await base.build()).toMatchObject({ read: 2, isStopped: false });
      const states = async () =>
        (await base.status(ALL)).documents.map(({ document, state, reason }) => [document, state, reason]);
      expect(await states()).toEqual([
        [`pages/${name}`, 'unread', 'does not exist'],
        ['pages/leave.md', 'read', undefined],
      ]);
      renameSync(`${folder}/away`, file);
      expect(await base.build()).toMatchObject({ read: 1, unchanged: 1 });
      expect((await states())[0]?.[2]).not.toBe('does not exist');
    },
  );

  it.each([
    ['deleted', (index: string) => rmSync(index)],
    ['cut in half', (index: string) => truncateSync(index, Math.floor(statSync(index).size / 2))],
    ['overwritten', (index: string) => writeFileSync(index, 'no database at all'.repeat(500))],
    ['damaged inside', (index: string) => writeFileSync(index, damage(readFileSync(index)))],
  ])('is built again if its index was %s, and says so', async (how, harm) => {
    const folder = write(temporaryFolder(), { 'leave.md': LEAVE, 'cars.txt': 'The car park is in the yard.' });
    const first = open(folder);
    const before = await first.search('car park holidays', ALL);
    await first.close();
    harm(join(folder, 'knowledge/a.pages.sqlite'));
    const base = open(folder);
    expect(await base.search('car park holidays', ALL)).toEqual(before);
    const { remarks } = await base.status(ALL);
    expect(remarks).toEqual([`the index was built again: it was ${how === 'deleted' ? how : 'damaged'}`]);
    expect(await base.build()).toMatchObject({ read: 0 });
    expect((await base.status(ALL)).remarks).toEqual([]);
  });

  it('is built again if its index is deleted while it is kept fresh', async () => {
    const folder = write(temporaryFolder(), { 'leave.md': LEAVE });
    const base = open(folder, { watch: false });
    base.keepFresh();
    const isFound = async () => (await base.search('holidays', ALL)).isFound;
    await expect.poll(isFound, { timeout: 20_000 }).toBe(true);
    await expect.poll(async () => (await base.status(ALL)).building).toBeUndefined();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `knowledge/a.pages.sqlite${end}`), { force: true });
    expect(await isFound()).toBe(true);
    expect((await base.status(ALL)).remarks).toEqual(['the index was built again: it was deleted']);
  });

  it('is built once by two that start together', async () => {
    const folder = write(temporaryFolder(), { 'leave.md': LEAVE, 'cars.txt': 'The car park is in the yard.' });
    const reports = await Promise.all([open(folder).build(), open(folder).build()]);
    expect(reports.map(({ read }) => read).toSorted()).toEqual([0, 2]);
  });

  it.each(['./pages', './pages/cars.txt'])(
    'reads a changed file again while %s is watched, and then rests',
    async (source) => {
      const folder = write(temporaryFolder(), { 'cars.txt': 'Nothing.' });
      let plans = 0;
      const after: typeof systemClock.after = (ms, run) => {
        plans++;
        return systemClock.after(ms, run);
      };
      // The data folder is beside the file, as `.holodeck` is beside agent.yaml.
      const base = open(folder, { source }, join(folder, 'pages/data'), { ...systemClock, after });
      await base.build();
      base.keepFresh();
      await expect
        .poll(
          async () => {
            write(folder, { 'cars.txt': 'The car park is in the yard.' });
            return (await base.search('car park', ALL)).isFound;
          },
          { timeout: 20_000, interval: 600 },
        )
        .toBe(true);
      const isResting = async () => {
        const before = plans;
        await new Promise<void>((resolve) => void systemClock.after(1_500, resolve));
        return plans === before;
      };
      await expect.poll(isResting, { timeout: 20_000, interval: 1 }).toBe(true);
    },
  );
});

/** Zeros over the middle of the file: the header stays. */
function damage(bytes: Buffer): Buffer {
  return bytes.fill(0x5a, 4_096, bytes.length - 100);
}

const WORDS =
  'leave pay travel car desk badge visitor phone laptop bonus parent sick remote office rent meal train'.split(' ');
/** A document of the same words for each number, without randomness. */
function textOf(seed: number): string {
  const word = (at: number) => WORDS[(seed * 7 + at * at + (at % 5) * seed) % WORDS.length];
  const part = (from: number) => Array.from({ length: 15 }, (_, at) => word(from + at)).join(' ');
  return `# ${word(1)} ${word(2)}\n\n${part(0)}.\n\n## ${word(3)}\n\n${part(60)}.\n\n## ${word(9)}\n\n${part(120)}.`;
}

describe('equal lists', () => {
  const QUESTIONS = Array.from(
    { length: 300 },
    (_, at) => `${WORDS[at % 17]} ${WORDS[(at * 3) % 17]} ${WORDS[(at * 5 + 1) % 17]}`,
  );
  const listsOf = async (base: KnowledgeBase) => {
    const lists = [];
    for (const question of QUESTIONS) {
      const { hits } = await base.search(question, ALL);
      lists.push(hits.map(({ passage, score, support }) => [passage.id, score, support]));
    }
    return lists;
  };

  it('come from a full build, an incremental one, and that of another machine', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at}.md`, textOf(at)]));
    // Copies have equal scores: their order must not depend on that of the builds.
    const copies = Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`copies/c${at}.md`, textOf(3)]));
    const folder = write(temporaryFolder(), { ...files, ...copies });
    const full = await listsOf(open(folder));

    const grown = write(temporaryFolder(), { 'd7.md': textOf(99), 'extra.md': textOf(50), ...copies });
    const base = open(grown);
    await base.build();
    write(grown, { ...files });
    await base.build();
    rmSync(join(grown, 'pages/extra.md'));
    await base.build();
    expect(await listsOf(base)).toEqual(full);

    const other = temporaryFolder();
    cpSync(join(folder, 'pages'), join(other, 'pages'), { recursive: true });
    expect(await listsOf(open(other, {}, temporaryFolder()))).toEqual(full);
    expect(full.filter((list) => list.length > 0).length).toBe(300);
  });
});

describe('visibility', () => {
  const GROUPS = ['hr', 'sales', 'HR', 'it', '..'];
  const PLACES = [
    'open.md',
    'teams/readme.md',
    'teams/hr/pay.md',
    'teams/sales/deals.md',
    'Teams/it/keys.md',
    'teams/hr/deep/er.md',
  ];
  const OWNER: Record<string, string> = {
    'teams/hr/pay.md': 'hr',
    'teams/hr/deep/er.md': 'hr',
    'teams/sales/deals.md': 'sales',
    'Teams/it/keys.md': 'it',
  };
  let base: KnowledgeBase;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-test-'));
    write(
      folder,
      Object.fromEntries(PLACES.map((place, at) => [place, `# Secret plan ${at}\n\nThe secret plan of ${place}.`])),
    );
    const entry = KnowledgeEntry.parse({ source: './pages', visible_to: { folder: 'teams/{value}' } });
    base = openKnowledge({ agent: 'a', name: 'pages', folder, data: folder, entry, clock: systemClock });
    await base.build();
  });
  afterAll(async () => {
    await base.close();
    rmSync(folder, { recursive: true });
  });

  it('a user never sees a passage of a folder of others, by any way', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(GROUPS),
        fc.constantFrom('secret plan', '"secret plan"', 'pay deals keys', 'hr', 'plan 3'),
        async (groups, query) => {
          const mayNot = (document: string) => {
            const owner = OWNER[document.replace('pages/', '')];
            return owner !== undefined && !groups.includes(owner);
          };
          const { hits, headings } = await base.search(query, { groups, topK: 50 });
          const { documents, remarks } = await base.status({ groups });
          const shown = [...hits.map(({ passage }) => passage.document), ...headings.map(({ document }) => document)];
          for (const document of shown) seen.add(document);
          expect([...shown, ...documents.map(({ document }) => document)].filter(mayNot)).toEqual([]);
          expect(remarks).toEqual([]);
          for (const place of PLACES) {
            const opened = await base.read(`pages/${place}`, 0, 100, { groups, version: 'old', quote: 'secret plan' });
            expect(opened === undefined).toBe(mayNot(`pages/${place}`));
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(seen.size).toBe(PLACES.length);
  });

  it('the local account sees everything, and a new rule counts at once', async () => {
    expect((await base.status(ALL)).documents).toHaveLength(PLACES.length);
    const stricter = open(folder, { visible_to: { folder: '{value}' } });
    const { hits } = await stricter.search('secret plan', { groups: ['hr'] });
    expect(hits.map(({ passage }) => passage.document)).toEqual(['pages/open.md']);
  });

  it('a linked document is for those who may see every link to it', async () => {
    const linked = write(temporaryFolder(), {
      'open.md': '# Plan\n\nThe open plan.',
      'teams/hr/pay.md': '# Plan\n\nThe plan of pay.',
      '../files/deep/er.md': '# Plan\n\nThe deeper plan.',
      '../files/both.md': '# Plan\n\nThe plan of both.',
      '../files/loop/x.md': '# Plan\n\nThe plan of a loop.',
    });
    const link = (target: string, path: string) => {
      mkdirSync(join(linked, 'pages', path, '..'), { recursive: true });
      symlinkSync(join(linked, target), join(linked, 'pages', path));
    };
    link('files/deep', 'teams/it/deep');
    link('files/both.md', 'teams/it/both.md');
    link('files/both.md', 'teams/sales/both.md');
    link('files/loop', 'teams/sales/loop');
    link('files', '../files/loop/again');
    link('pages/teams/hr', 'teams/sales/pay');
    link('pages/teams/hr/pay.md', 'pay.md');
    link('pages/open.md', 'teams/hr/open.md');
    const own = open(linked, { visible_to: { folder: 'teams/{value}' } });
    await own.build();
    const seenBy = async (...groups: string[]) => {
      const { documents } = await own.status({ groups });
      const { hits } = await own.search('plan', { groups, topK: 50 });
      const paths = documents.map(({ document }) => document.replace('pages/', ''));
      expect(hits.map(({ passage }) => passage.document.replace('pages/', '')).sort()).toEqual(paths);
      return paths;
    };
    expect(await seenBy()).toEqual(['open.md']);
    expect(await seenBy('hr')).toEqual(['open.md', 'teams/hr/pay.md']);
    expect(await seenBy('it')).toEqual(['open.md']);
    expect(await seenBy('sales')).toEqual(['open.md', 'teams/sales/loop/x.md']);
    const both = ['teams/it/both.md', 'teams/it/deep/er.md', 'teams/sales/loop/x.md'];
    expect(await seenBy('it', 'sales')).toEqual(['open.md', ...both]);
  });
});
