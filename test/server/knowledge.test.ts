import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userFromId } from '../../src/identity/user.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { FoundView, KnowledgeView, OpenedView } from '../../src/runtime/knowledge-views.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE, BOB, buildAgent } from '../build.ts';
import { collect, temporaryFolder } from '../runtime.ts';
import { serveRuntime } from './server.ts';

const LEAVE = '# Leave\n\n## Carry-over\n\nYou carry over up to five days of leave, until 31 March.\n';
const PAY = '# Pay\n\n## Bonus\n\nThe secret bonus of the board is 42,000 euros each year.\n';
const DOCUMENTS = {
  'pages/broken.pdf': 'no pdf',
  'pages/computers.md': '# Computers\n\nA new computer is ordered by your manager.\n',
  'pages/leave.md': LEAVE,
  'pages/teams/board/pay.md': PAY,
  'pages/travel.md': '# Travel\n\nTrains are booked in the second class.\n',
};
const SECRET = 'pages/teams/board/pay.md';
const JWT = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };
const GROUPS = { alice: ['board'], bob: ['shop'], carol: undefined };

/** A server whose documents in teams/board are for the group `board`, to which only Alice belongs. */
async function openDocuments() {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(DOCUMENTS)) write(path, text);
  const handbook = { source: './pages', watch: false, visible_to: { folder: 'teams/{value}' } };
  const agent = buildAgent({ knowledge: { handbook }, server: { auth: { jwt: JWT }, mcp_tools: true } });
  const data = temporaryFolder();
  const runtime = await createRuntime({ agents: [{ ...agent, folder }], folder: data, model: createScriptedModel([]) });
  onTestFinished(() => runtime.stop());
  const userOf = (name: string) => {
    const groups = GROUPS[name as keyof typeof GROUPS];
    return userFromId(name === 'alice' ? ALICE.id : BOB.id, { name, ...(groups && { groups }) });
  };
  const served = await serveRuntime(runtime, { identify: (header = '') => userOf(header.replace('Bearer ', '')) });
  const listed = async () => (await read<KnowledgeView>('GET /agent/helper/knowledge')).body.documents.length;
  await expect.poll(listed).toBe(Object.keys(DOCUMENTS).length);
  async function read<T>(what: string, as = 'alice', body?: unknown) {
    const response = await served.call(what, { as, body });
    return { status: response.status, body: (await response.json()) as T }; // each test compares the fields that it reads
  }
  return { ...served, read, write, remove: (path: string) => rmSync(join(folder, path)), runtime };
}

function pathOf(document: string, query = ''): string {
  return `GET /agent/helper/knowledge/${encodeURIComponent(document)}${query}`;
}

async function openClient(url: string, as: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: {} });
  const requestInit = { headers: { authorization: `Bearer ${as}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

describe('the documents of an agent', () => {
  it('are listed with their state, searched, and opened at a place', async () => {
    const { read, call } = await openDocuments();
    const { agents } = (await (await call('GET /agents')).json()) as { agents: { has_knowledge?: true }[] };
    expect(agents[0]?.has_knowledge).toBe(true);
    const { body: list } = await read<KnowledgeView>('GET /agent/helper/knowledge');
    expect(list.documents.map(({ document, state, knowledge }) => [knowledge, document, state])).toEqual([
      ['handbook', 'pages/broken.pdf', 'unread'],
      ['handbook', 'pages/computers.md', 'read'],
      ['handbook', 'pages/leave.md', 'read'],
      ['handbook', SECRET, 'read'],
      ['handbook', 'pages/travel.md', 'read'],
    ]);
    const query = { query: 'how many days of leave do I carry over?' };
    const { body: found } = await read<FoundView>('POST /agent/helper/knowledge/search', 'alice', query);
    expect(found).toMatchObject({ is_found: true, passages: [{ document: 'pages/leave.md', is_above_floor: true }] });
    const { start = 0, end = 0, version, text } = found.passages[0] ?? {};
    const { body: opened } = await read<OpenedView>(
      pathOf('pages/leave.md', `?start=${start}&end=${end}&version=${version}`),
    );
    expect(opened).toMatchObject({ text, is_current: true, breadcrumb: ['Carry-over'], title: 'Leave' });
  });

  it.each(['?start=99999', '?start=30&end=10', '?start=99999&quote=carry%20over'])(
    'have no passage at a place that they do not have: %s',
    async (place) => {
      const { read } = await openDocuments();
      expect(await read(pathOf('pages/leave.md', place))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it('that have changed since they were cited say so, and the nearest passage is opened', async () => {
    const { read, write, runtime } = await openDocuments();
    const { body: before } = await read<OpenedView>(pathOf('pages/leave.md'));
    write('pages/leave.md', `# Leave\n\n## News\n\nNothing is new here.\n\n${LEAVE.replace('five', 'seven')}`);
    await runtime.replaceAgent({ ...(runtime.agents[0] ?? buildAgent()) });
    const quote = encodeURIComponent('carry over up to five days');
    const path = pathOf('pages/leave.md', `?start=0&end=80&version=${before.version}&quote=${quote}`);
    await expect
      .poll(async () => (await read<OpenedView>(path)).body)
      .toMatchObject({
        is_current: false,
        text: expect.stringContaining('seven days'),
      });
  });

  it.each(['bob', 'carol'])('of another group do not exist for %s, on every route', async (name) => {
    const { read, url } = await openDocuments();
    const everything = await read<KnowledgeView>('GET /agent/helper/knowledge', name);
    const search = (query: string) =>
      read<FoundView>('POST /agent/helper/knowledge/search', name, { query, top_k: 50 });
    const client = await openClient(url, name);
    const resources = await client.listResources();
    const tool = await client.callTool({
      name: 'helper_search_handbook',
      arguments: { query: 'secret bonus of the board' },
    });
    const seen = [everything.body, (await search('secret bonus of the board')).body, resources, tool];
    expect(JSON.stringify(seen)).not.toMatch(/pay\.md|bonus of|42,000|Bonus/);
    expect(JSON.stringify(seen)).toContain('pages/leave.md');
    for (const query of ['', '?start=0&end=9', '?version=x&quote=bonus', '?knowledge=handbook']) {
      const refused = await read<{ detail: string }>(pathOf(SECRET, query), name);
      expect(refused).toMatchObject({ status: 404, body: { detail: 'There is no such document.' } });
      expect((await read(pathOf(SECRET, query), 'alice')).status).toBe(200);
    }
    expect((await read<{ detail: string }>(pathOf('pages/none.md'), name)).body.detail).toBe(
      'There is no such document.',
    );
    const uri = `holodeck://knowledge/helper/${encodeURIComponent(SECRET)}`;
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
    const own = await openClient(url, 'alice');
    expect(await own.readResource({ uri })).toMatchObject({ contents: [{ text: expect.stringContaining('42,000') }] });
    expect(JSON.stringify(await own.listResources())).toContain('pay.md');
  });

  it('of other groups are in no answer, citation, list, search or resource of anybody', async () => {
    const groups = ['board', 'shop', 'it'];
    const folder = temporaryFolder();
    const secrets = groups.map((group) => `The secret plan of ${group} is the number ${group.length}7${group.length}.`);
    for (const [at, group] of groups.entries()) {
      mkdirSync(join(folder, 'pages/teams', group), { recursive: true });
      writeFileSync(join(folder, 'pages/teams', group, 'plan.md'), `# Plan of ${group}\n\n${secrets[at]}\n`);
    }
    writeFileSync(join(folder, 'pages/open.md'), '# Open\n\nThe open plan of everybody is a picnic.\n');
    const team = { source: './pages', watch: false, visible_to: { folder: 'teams/{value}' } };
    const agent = { ...buildAgent({ knowledge: { team }, server: { auth: { jwt: JWT }, mcp_tools: true } }), folder };
    const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder() });
    onTestFinished(() => runtime.stop());
    const userOf = (name: string) => userFromId(ALICE.id, { name, groups: name.split('-') });
    const { url } = await serveRuntime(runtime, { identify: (header = '') => userOf(header.replace('Bearer ', '')) });
    await expect.poll(async () => (await runtime.listKnowledge(userOf('none'), 'helper')).building).toBe(undefined);
    const seen = new Set<string>();
    const anyone = fc.subarray(groups);
    const question = fc.constantFrom(
      'What is the secret plan of board?',
      'plan of shop',
      'Which number is the plan of it?',
    );
    await fc.assert(
      fc.asyncProperty(anyone, question, async (own, query) => {
        const name = ['none', ...own].join('-');
        const user = userOf(name);
        const client = await openClient(url, name);
        const { signal } = new AbortController();
        const shown = JSON.stringify([
          await collect(await runtime.chat(user, { agent: 'helper', message: query })),
          await runtime.listKnowledge(user, 'helper'),
          await runtime.searchKnowledge(user, { agent: 'helper', query, topK: 50, signal }),
          await client.listResources(),
          await client.callTool({ name: 'helper_search_team', arguments: { query } }),
        ]);
        for (const [at, group] of groups.entries()) {
          const [document, plan] = [`pages/teams/${group}/plan.md`, secrets[at] ?? ''];
          const uri = `holodeck://knowledge/helper/${encodeURIComponent(document)}`;
          const opened = await runtime
            .openPassage(user, { agent: 'helper', document, start: 0 })
            .catch(() => undefined);
          const resource = await client.readResource({ uri }).catch(() => undefined);
          const isOwn = own.includes(group);
          expect([opened !== undefined, resource !== undefined]).toEqual([isOwn, isOwn]);
          if (!isOwn) expect(shown.includes(plan) || shown.includes(document)).toBe(false);
          else if (shown.includes(plan)) seen.add(group);
        }
        await client.close();
      }),
      { numRuns: 20, seed: 3 },
    );
    expect([...seen].toSorted()).toEqual(groups.toSorted());
  }, 60_000);

  it('are none for an agent without knowledge and for another name of a knowledge base', async () => {
    const { read } = await openDocuments();
    expect((await read(pathOf('pages/leave.md', '?knowledge=other'))).status).toBe(404);
    expect((await read('GET /agent/other/knowledge')).status).toBe(404);
    expect((await read('POST /agent/helper/knowledge/search', 'alice', { query: '' })).status).toBe(422);
  });
});
