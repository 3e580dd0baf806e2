import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { openTalk } from '../../src/builtin/talk-fixture.ts';
import type { ModelRequest, ToolDefinition } from '../../src/models/model.ts';
import type { Agent } from '../../src/schema/agent.ts';

interface SpeedScore {
  loadMs: number;
  p95Ms: number;
  addedMb: number;
}

/**
 * Measures the model in a fresh process: time to the first answers with all loading, time per later message, and
 * memory.
 */
async function measureSpeed(
  texts: readonly string[],
  agent: Pick<Agent, 'intents'>,
  bundle: string,
): Promise<SpeedScore> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const { createBuiltinModel }: typeof import('../../src/builtin/builtin-model.ts') = await import(bundle);
  const model = createBuiltinModel({ agent });
  const answer = async (text: string, tools: readonly ToolDefinition[]) => {
    for await (const _ of model.stream(toRequest(text, tools), { signal: new AbortController().signal }));
  };
  await answer('what are my tasks?', taskTools(agent));
  await answer('what is the weather in Paris?', OTHER_TOOLS);
  const loadMs = performance.now() - started;
  const times: number[] = [];
  for (const text of texts) {
    times.push(await shortest(() => answer(text, taskTools(agent))));
  }
  const p95Ms = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return { loadMs, p95Ms, addedMb: (process.memoryUsage().rss - before) / 2 ** 20 };
}

/** The best of three runs, so that other load on the machine counts less. */
async function shortest(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return Math.min(...times);
}

const OTHER_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

function taskTools({ intents }: Pick<Agent, 'intents'>): ToolDefinition[] {
  const names = Object.values(intents).flatMap((intent) => intent.tool ?? []);
  return names.map((name) => ({ name, description: '', inputSchema: {} }));
}

function toRequest(content: string, tools: readonly ToolDefinition[]): ModelRequest {
  const now = new Date('2026-11-15T12:00:00Z');
  const message = {
    id: '01J00000000000000000000000',
    role: 'user',
    content,
    timestamp: now.toISOString(),
    metadata: {},
  } as const;
  return { system: '', messages: [message], tools, now, timezone: 'Europe/Berlin' };
}

/**
 * Measures in separate processes with the shipped bundle, so that nothing is loaded before. The best of three counts.
 */
export function measureInChild(agent: Pick<Agent, 'intents'>): SpeedScore {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-speed-'));
  try {
    const args = [fileURLToPath(import.meta.url), JSON.stringify(agent), bundleTo(folder)];
    const run = (): SpeedScore => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    const [first, ...others] = [run(), run(), run()];
    return others.reduce((best, score) => (score.loadMs < best.loadMs ? score : best), first);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundleTo(folder: string): string {
  const entries = ['../../src/builtin/builtin-model.ts', '../../src/builtin/reader/reader-worker.ts'];
  buildSync({
    entryPoints: entries.map((entry) => fileURLToPath(new URL(entry, import.meta.url))),
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
  });
  for (const data of ['../../src/builtin/reader/data/', '../../src/builtin/tools/data/', '../../src/language/data/']) {
    cpSync(fileURLToPath(new URL(data, import.meta.url)), join(folder, 'data'), { recursive: true });
  }
  return join(folder, 'builtin-model.mjs');
}

if (import.meta.main) {
  const [agent = '{"intents":{}}', bundle = ''] = process.argv.slice(2);
  const lines = readFileSync(new URL('../../test/fixtures/builtin/sentences-heldout.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const texts = lines.map((line) => line.split('\t')[1] ?? '');
  console.log(JSON.stringify(await measureSpeed(texts, JSON.parse(agent), bundle)));
}

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The share of conversations that are identical to the first: same calls, same text. */
export async function scoreDeterminism(texts: readonly string[], runs = 10): Promise<number> {
  const first = await holdConversation(texts);
  let same = 1;
  for (let run = 1; run < runs; run++) if ((await holdConversation(texts)) === first) same += 1;
  return same / runs;
}

/** The texts and calls of a conversation. Task ids are left out: the store creates new ones each time. */
async function holdConversation(texts: readonly string[]): Promise<string> {
  const { say } = openTalk();
  const said = [];
  for (const text of texts) said.push(await say(text));
  const known = new Map<string, string>();
  return JSON.stringify(said).replace(IDS, (id) => {
    known.set(id, known.get(id) ?? `task-${known.size + 1}`);
    return String(known.get(id));
  });
}
