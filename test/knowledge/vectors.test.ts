import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { KnowledgeBase } from '../../src/knowledge/knowledge.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';
import { type EmbeddingOptions, startEmbeddingServer } from '../fakes/embedding-server.ts';
import { temporaryFolder } from '../runtime.ts';

const ALL = { groups: 'all' } as const;
const PAGES = {
  'leave.md': '# Time off\n\nEvery employee gets thirty days of holiday a year.',
  'cars.md': '# Garage\n\nAutomobiles must be left in the yard behind the building.',
  'food.md': '# Canteen\n\nLunch is served between noon and two.',
  'teams/hr/salary.md': '# Wages\n\nSalaries are transferred on the last Friday.',
};
/** It shares no word with its answer. */
const PARAPHRASE = 'vacation vehicles parking';

async function startServer(options: EmbeddingOptions = {}) {
  const server = await startEmbeddingServer(options);
  onTestFinished(() => server.close());
  return server;
}

function open(folder: string, parts: Record<string, unknown>): KnowledgeBase {
  for (const [path, text] of Object.entries(PAGES)) {
    mkdirSync(join(folder, 'pages', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'pages', path), text);
  }
  const entry = KnowledgeEntry.parse({ source: './pages', min_similarity: 0.3, ...parts });
  const base = openKnowledge({ agent: 'a', name: 'pages', folder, data: folder, entry, clock: systemClock });
  onTestFinished(() => base.close());
  return base;
}

const OPENAI = (url: string) => ({ provider: 'openai_compatible', name: 'static-words', endpoint: `${url}/v1` });
const documentsOf = async (base: KnowledgeBase, query: string) =>
  (await base.search(query, ALL)).hits
    .filter(({ isAboveFloor }) => isAboveFloor)
    .map(({ passage }) => passage.document);

it.each([
  ['openai', '/v1'],
  ['openai_compatible', '/v1'],
  ['lmstudio', ''],
  ['ollama', '/v1'],
  ['ollama', ''],
  ['google', '/v1beta'],
] as const)('a paraphrase is found by the vectors of %s at %j, and by no word', async (provider, path) => {
  const { url, requests } = await startServer({
    ...(provider === 'google' || provider === 'openai' ? { key: 'k1' } : {}),
  });
  const embedding = { provider, name: 'static-words', endpoint: url + path, api_key: 'k1' };
  const base = open(temporaryFolder(), { embedding });
  await base.build();
  expect((await base.status(ALL)).remarks).toEqual([]);
  expect(requests.flat()).toHaveLength(Object.keys(PAGES).length);
  const { hits, isFound } = await base.search(PARAPHRASE, ALL);
  expect({ isFound, first: hits[0]?.passage.document, support: hits[0]?.support }).toEqual({
    isFound: true,
    first: 'pages/cars.md',
    support: 0,
  });
  const words = open(temporaryFolder(), {});
  expect(await words.search(PARAPHRASE, ALL)).toMatchObject({ hits: [], isFound: false });
});

it('a text is sent once for each model, and only what changed is sent again', async () => {
  const { url, requests } = await startServer();
  const other = await startServer({ model: 'other' });
  const folder = temporaryFolder();
  const first = open(folder, { embedding: OPENAI(url) });
  await first.build();
  writeFileSync(join(folder, 'pages/food.md'), '# Canteen\n\nSupper is served at seven.');
  await first.build();
  await first.build();
  expect(requests.map((texts) => texts.length)).toEqual([4, 1]);
  await first.close();

  const changed = open(folder, { embedding: { ...OPENAI(other.url), name: 'other' } });
  await changed.build();
  expect(other.requests.flat()).toHaveLength(4);
  expect((await changed.search('automobiles', ALL)).hits[0]?.similarity).toBeGreaterThan(0.3);
});

it('weights and the mode of the file decide the order', async () => {
  const { url } = await startServer();
  const folder = temporaryFolder();
  const orders = [];
  await open(folder, {}).build();
  const unbuilt = open(folder, { embedding: OPENAI(url) });
  expect(await documentsOf(unbuilt, PARAPHRASE)).toEqual([]);
  expect((await unbuilt.status(ALL)).remarks.join()).toContain('no passage has a vector of this model yet');
  await unbuilt.build();
  for (const parts of [{ search_mode: 'keyword' }, { search_mode: 'semantic' }, { semantic_weight: 0 }])
    orders.push(
      await documentsOf(
        open(folder, { embedding: OPENAI(url), min_similarity: 0, ...parts }),
        'automobiles holiday days',
      ),
    );
  expect(orders[0]).toEqual(['pages/leave.md']);
  expect(orders[1]).toHaveLength(4);
  expect(orders[2]?.[0]).toBe('pages/leave.md');
});

it('a passage of a folder of others is never found by its vector', async () => {
  const { url } = await startServer();
  const base = open(temporaryFolder(), { embedding: OPENAI(url), visible_to: { folder: 'teams/{value}' } });
  await base.build();
  const seenBy = async (groups: string[]) =>
    (await base.search('money payroll earnings', { groups })).hits.map(({ passage }) => passage.document);
  expect((await seenBy(['hr']))[0]).toBe('pages/teams/hr/salary.md');
  expect(await seenBy(['sales'])).not.toContain('pages/teams/hr/salary.md');
  expect((await base.status({ groups: ['sales'] })).remarks).toEqual([]);
});

it.each([
  ['refuses the key', { key: 'another' }, /refused|requires a key/],
  ['does not know the model', { model: 'another' }, /knows no model/],
  ['fails', { fault: () => 500 }, /failed \(status 500\)/],
] as const)('a server that %s leaves the search by words, and the status says so', async (_, options, reason) => {
  const { url } = await startServer(options);
  const base = open(temporaryFolder(), { embedding: OPENAI(url) });
  expect(await base.build()).toMatchObject({ read: 4, passages: 4 });
  expect(await documentsOf(base, 'days of holiday')).toEqual(['pages/leave.md']);
  expect((await base.status(ALL)).remarks.join('\n')).toMatch(reason);
});

it('a search waits a fixed time for the vector of its question, and the next ones not at all', async () => {
  const { url, requests } = await startServer({ fault: (request) => (request > 0 ? 'never' : undefined) });
  const base = open(temporaryFolder(), { embedding: OPENAI(url) });
  await base.build();
  for (let at = 0; at < 3; at++) expect(await documentsOf(base, 'days of holiday')).toEqual(['pages/leave.md']);
  expect(requests).toHaveLength(2);
  expect((await base.status(ALL)).remarks.join()).toContain('did not answer within 2 s');
});

it('a busy server is asked again, and a key that is missing is named', async () => {
  const { url, requests } = await startServer({ fault: (request) => (request === 0 ? 429 : undefined) });
  const base = open(temporaryFolder(), { embedding: OPENAI(url) });
  await base.build();
  expect(requests).toHaveLength(2);
  expect((await base.search(PARAPHRASE, ALL)).isFound).toBe(true);
  const keyless = open(temporaryFolder(), { embedding: { provider: 'openai', name: 'text-embedding-3-small' } });
  await keyless.build();
  expect((await keyless.status(ALL)).remarks.join()).toContain('openai needs a key. Set OPENAI_API_KEY.');
});
