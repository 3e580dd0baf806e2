import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort } from '../test/free-port.ts';

/**
 * Runs the MCP conformance suite against our client and our server, for both protocol eras. Exits with 1 if an unlisted
 * scenario fails or a listed one passes.
 */
const REVISIONS = ['2025-11-25', '2026-07-28'];
const AT_ONCE = 2;

const NO_PERSON = 'an extension for programs without a person; here each user logs in';
const NO_DPOP = 'an extension that binds tokens to a key; tokens here are bearer tokens';
/** Scenarios that the suite does not score: extensions of the protocol. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': NO_PERSON,
  'auth/client-credentials-basic': NO_PERSON,
  'auth/enterprise-managed-authorization': NO_PERSON,
  'auth/wif-jwt-bearer': NO_PERSON,
  'auth/dpop': NO_DPOP,
  'auth/dpop-nonce': NO_DPOP,
};

/** Maps `<revision> <scenario>` to the reason of its failure. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    REVISIONS.flatMap((revision) =>
      Object.entries(EXTENSIONS).map(([scenario, why]) => [`${revision} ${scenario}`, why]),
    ),
  ),
  '2026-07-28 server-stateless': "4 of 28 checks call the suite's own diagnostic tools, which an agent does not have",
  '2026-07-28 caching': '1 of 7 checks lists prompts, which are not offered',
};

/** Scenarios for parts that our server offers. The others call tools and prompts of the suite's own server. */
const SERVER_SCENARIOS = [
  'server-initialize',
  'ping',
  'server-stateless',
  'tools-list',
  'resources-list',
  'sep-2164-resource-not-found',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'caching',
];

const suite = dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js')));
const client = fileURLToPath(new URL('./conformance-client.ts', import.meta.url));

interface Requirements {
  client: string[];
  server: string[];
  not_scored?: { scenario: string; leg: string }[];
}

interface Run {
  revision: string;
  scenario: string;
  leg: 'client' | 'server';
}

async function listRuns(revision: string): Promise<Run[]> {
  const text = await readFile(join(suite, '../requirements', `${revision}.yaml`), 'utf8');
  // The cast is safe: the file belongs to the suite.
  const requirements = parse(text) as Requirements;
  const extra = requirements.not_scored?.filter((entry) => entry.leg === 'client') ?? [];
  const client = [...requirements.client, ...extra.map((entry) => entry.scenario)];
  const server = requirements.server.filter((scenario) => SERVER_SCENARIOS.includes(scenario));
  return [
    ...client.map((scenario) => ({ revision, scenario, leg: 'client' as const })),
    ...server.map((scenario) => ({ revision, scenario, leg: 'server' as const })),
  ];
}

/** The shipped agent on a free port, with data of its own. */
async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'holodeck-conformance-'));
  const command = fileURLToPath(new URL('../bin/holodeck.js', import.meta.url));
  const port = await freePort();
  const child = spawn(process.execPath, [command, 'serve', '-p', String(port), '--data', data]);
  await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill();
      await once(child, 'close');
      await rm(data, { recursive: true });
    },
  };
}

/** True if every check of the scenario passed. Otherwise prints the suite's output. */
async function passes({ revision, scenario, leg }: Run): Promise<boolean> {
  const target = leg === 'server' ? ['--url', server.url] : ['--command', `"${process.execPath}" "${client}"`];
  // The suite skips extensions unless it is forced.
  const force = scenario in EXTENSIONS ? ['--force'] : [];
  const args = [...target, '--scenario', scenario, '--spec-version', revision, '--timeout', '120000', ...force];
  const child = spawn(process.execPath, [join(suite, 'index.js'), leg, ...args]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(child, 'close');
  if (code !== 0) console.log(said);
  return code === 0;
}

/** Runs a scenario and returns whether the outcome is as expected. */
async function report(run: Run): Promise<boolean> {
  const title = `${run.revision} ${run.scenario}`;
  const known = KNOWN_FAILURES[title];
  const passed = await passes(run);
  const verdict = passed ? 'passed' : 'FAILED';
  console.log(`${verdict}  ${title}${known ? `  (expected to fail: ${known})` : ''}`);
  return passed === (known === undefined);
}

const server = await startServer();
const runs = (await Promise.all(REVISIONS.map(listRuns))).flat();
const left = [...runs];
const total = left.length;
const outcomes: boolean[] = [];
const workers = Array.from({ length: AT_ONCE }, async () => {
  for (let run = left.shift(); run; run = left.shift()) outcomes.push(await report(run));
});
await Promise.all(workers);
await server.stop();
const surprises = outcomes.filter((asExpected) => !asExpected).length;
console.log(
  `${total} scenarios run, ${surprises} not as expected; ${Object.keys(KNOWN_FAILURES).length} known failures`,
);
process.exitCode = surprises === 0 ? 0 : 1;
