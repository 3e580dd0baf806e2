import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChance } from '../../scripts/retail-chance.ts';
import { systemClock } from '../../src/clock.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { userFromId } from '../../src/identity/user.ts';
import { loadWordVectors } from '../../src/language/word-vectors.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { AgentFile } from '../../src/schema/agent.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { createSpaceAnswerer } from '../../src/space/space-answerer.ts';
import { createSqlRunner } from '../../src/space/sql/sql-runner.ts';
import type { Tool, ToolSource } from '../../src/tools/tool.ts';

const SUBJECTS = ['orders', 'stock', 'complaints', 'deliveries', 'salaries', 'budgets', 'visitors', 'machines'];
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');

/** Measures a turn over `count` domains that take `eachMs` each, after a turn that warms everything up. */
export async function measureFanOut(count: number, eachMs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-measure-'));
  const subjects = SUBJECTS.slice(0, count);
  const domains = subjects.map((name) => ({
    name,
    display_name: name,
    description: name,
    capabilities: [name],
    mcp_tools: [`ask_${name}`],
  }));
  const {
    response_format: _,
    knowledge: _map,
    agents: _members,
    then: _then,
    ...file
  } = AgentFile.parse({ name: 'measured', instructions: 'Answer.', domains });
  const agent = { ...file, instructions: 'Answer.', folder };
  const runtime = await createRuntime({ agents: [agent], folder, sources: [toSource(subjects, eachMs)] });
  const ask = async () => {
    const turn = await runtime.chat(user, { agent: agent.name, message: `Compare ${subjects.join(', ')}` });
    let result: { ms: number; calls: number } | undefined;
    for await (const event of turn.events) {
      if (event.type === 'turn-end')
        result = { ms: event.result.execution_time_ms, calls: event.result.sources.length };
    }
    if (result?.calls !== count) throw new Error(`${result?.calls} of ${count} domains answered`);
    return result.ms;
  };
  await ask();
  const measured = await ask();
  await runtime.stop();
  rmSync(folder, { recursive: true });
  return measured;
}

function toSource(subjects: readonly string[], eachMs: number): ToolSource {
  const tools = subjects.map(
    (name): Tool => ({
      name: `ask_${name}`,
      description: name,
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      source: 'measured',
      readOnly: true,
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, eachMs));
        return { result: { answer: `There are 5 ${name}.` } };
      },
    }),
  );
  return {
    name: 'measured',
    tools: async () => tools,
    status: () => ({ state: 'ready', tools: [] }),
    close: async () => {},
  };
}

/** Loads a CSV of `rows` rows into a space, then asks a question over it. */
export async function measureLoad(rows: number): Promise<{ loadMs: number; questionMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-measure-'));
  writeFileSync(join(folder, 'sales.csv'), makeCsv(rows));
  writeFileSync(join(folder, 'space.yaml'), SPACE);
  const space = await loadSpace('space.yaml', { cwd: folder });
  const runner = createSqlRunner({
    space: 'measured',
    folder: join(folder, 'databases'),
    files: space.tables,
    clock: systemClock,
  });
  const started = performance.now();
  await runner.load();
  const loadMs = performance.now() - started;
  const vectors = loadWordVectors();
  const desk = createSpaceAnswerer({ space, runner, vectors: () => vectors, clock: systemClock });
  const times: number[] = [];
  for (let index = 0; index < 21; index++) {
    const asked = performance.now();
    const outcome = await desk.answer('What are the top 5 products by revenue?', new AbortController().signal);
    if ('failure' in outcome) throw new Error(outcome.failure);
    times.push(performance.now() - asked);
  }
  runner.close();
  rmSync(folder, { recursive: true });
  return { loadMs, questionMs: times.slice(1).toSorted((a, b) => a - b)[10] ?? 0 };
}

const SPACE = `name: measured
title: sales
description: sales
tables:
  sales: { file: sales.csv, indexes: [[product, amount]], key: id }
measures:
  revenue: { sum: sales.amount, unit: USD }
dimensions:
  product: { columns: [sales.product] }
`;

function makeCsv(rows: number): string {
  const chance = createChance(1);
  const lines = Array.from({ length: rows }, (_, index) => {
    const month = String(chance.whole(1, 12)).padStart(2, '0');
    return `${index},Product ${chance.whole(1, 200)},2025-${month}-10,${chance.pick(['North', 'South'])},${chance.whole(1, 9)},${(chance.number() * 200).toFixed(2)}`;
  });
  return `id,product,day,region,quantity,amount\n${lines.join('\n')}\n`;
}

const AGENT = fileURLToPath(new URL('../../agents/retail/agent.yaml', import.meta.url));

export interface Retail {
  /** Asks each question in a new conversation. */
  ask(message: string): Promise<TurnResult>;
  close(): Promise<void>;
}

/** The shipped retail agent, in a temporary data folder. */
export async function openRetail(): Promise<Retail> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-retail-'));
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder });
  return {
    async ask(message) {
      const turn = await runtime.chat(user, { agent: agent.name, message });
      for await (const event of turn.events) if (event.type === 'turn-end') return event.result;
      throw new Error(`The turn of "${message}" did not end.`);
    },
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
