/**
 * Compares the served agent (journal on) with a hand-written loop, in one run, as ratios. Each row is judged by the
 * best of other runtimes. Exits with 1 unless every row is ahead of it and every limit under load is met. Run: node
 * bench/main.ts [--quick] [--only cold,latency,throughput,tools,lists,memory,gone,load,flood]
 */
import { parseArgs } from 'node:util';
import { askAll } from './client.ts';
import { type Bench, clientGone, coldStart, latency, memory, type Row, throughput, toolLists } from './compare.ts';
import { contestants, launch, type Running, stop, untilOpen } from './contestant.ts';
import { oneUsersFlood } from './flood.ts';
import { judge, judgedRows } from './peers.ts';
import { type Finding, healthUnderLoad, idleFollowers, overload } from './under-load.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const bench: Bench = { mockPort: 19_900, isQuick: options.quick ?? false };
/** Phases that measure servers that are already warm. */
const RUNNING_PHASES = ['latency', 'throughput', 'tools', 'gone', 'load'];
/** The number of turns that agent/few-places.yaml runs at once. */
const PLACES = 40;

async function main(): Promise<void> {
  const mock = launch('mock-model.ts', { port: bench.mockPort, mockPort: bench.mockPort });
  await untilOpen(bench.mockPort);
  const all = contestants(19_201);
  const rows: Row[] = [];
  const findings: Finding[] = [];
  try {
    if (wants('cold')) rows.push(...(await coldStart(all, bench)));
    if (wants('memory')) rows.push(...(await memory(all, bench)));
    if (wants('lists')) rows.push(...(await toolLists(all, bench)));
    if (wants('flood')) findings.push(await oneUsersFlood({ port: 19_231, mockPort: bench.mockPort }));
    if (RUNNING_PHASES.some(wants)) await withRunning(async (running) => measure(running, rows, findings));
  } finally {
    await stop(mock);
  }
  print(rows, findings);
  const missing = judgedRows.filter((what) => !rows.some((row) => row.what === what));
  if (options.only === undefined && missing.length > 0) throw new Error(`not measured: ${missing.join(', ')}`);
  const isAhead = rows.every((row) => judgeAll(row).every((judged) => !judged || judged.verdict === 'ahead'));
  process.exit(isAhead && findings.every(({ isMet }) => isMet) ? 0 : 1);
}

async function withRunning(work: (running: Running[]) => Promise<void>): Promise<void> {
  const running = contestants(19_211).map(
    (one): Running => ({ ...one, child: launch(one.file, { port: one.port, mockPort: bench.mockPort }) }),
  );
  try {
    for (const one of running) await untilOpen(one.port);
    for (const one of running)
      await askAll(one, { tokens: 50 }, { connections: 10, ms: bench.isQuick ? 1_000 : 3_000 });
    for (const one of running)
      await askAll(one, { tokens: 5, calls: 1 }, { connections: 10, ms: bench.isQuick ? 500 : 1_500 });
    await work(running);
  } finally {
    await Promise.all(running.map((one) => stop(one.child)));
  }
}

async function measure(running: Running[], rows: Row[], findings: Finding[]): Promise<void> {
  const count = bench.isQuick ? 40 : 200;
  if (wants('latency')) rows.push(...(await latency(running, { scenario: { tokens: 20 }, what: '20 tokens', count })));
  if (wants('throughput'))
    rows.push(
      ...(await throughput(running, { scenario: { tokens: 200 }, what: '50 connections × 200 tokens', bench })),
    );
  if (wants('tools')) {
    const oneCall = { tokens: 5, calls: 1 };
    const fiveCalls = { tokens: 5, calls: 5, toolMs: 100 };
    rows.push(...(await latency(running, { scenario: oneCall, what: 'one tool call', count })).slice(1));
    rows.push(...(await throughput(running, { scenario: oneCall, what: 'one tool call × 50', bench })).slice(0, 1));
    rows.push(
      ...(
        await latency(running, {
          scenario: fiveCalls,
          what: 'five parallel tools of 100 ms',
          count: Math.ceil(count / 10),
        })
      ).slice(1),
    );
  }
  if (wants('gone')) rows.push(...(await clientGone(running, bench)));
  const rest = running.find((one) => one.name === 'holodeck rest');
  if (!wants('load') || !rest) return;
  findings.push(await healthUnderLoad(rest), await idleFollowers(rest));
  const port = rest.port + 1;
  const small = {
    ...rest,
    port,
    child: launch(rest.file, { port, mockPort: bench.mockPort, env: { BENCH_AGENT: 'few-places.yaml' } }),
  };
  await untilOpen(port);
  findings.push(await overload(small, PLACES).finally(() => stop(small.child)));
}

function wants(phase: string): boolean {
  return options.only === undefined || options.only.split(',').includes(phase);
}

const names = contestants(0).map((one) => one.name);

function judgeAll(row: Row) {
  return names.map((name) => (name === 'floor' ? undefined : judge(row, name)));
}

function print(rows: readonly Row[], findings: readonly Finding[]): void {
  const lines = rows.map((row) => {
    const { what, unit, values } = row;
    const floor = values.get('floor') ?? Number.NaN;
    const judged = judgeAll(row);
    const cells = names.map((name, index) => {
      const value = values.get(name) ?? Number.NaN;
      if (name === 'floor') return `${short(value)} ${unit}`;
      return `${short(value)} ${unit} (× ${short(value / floor)})${judged[index] ? `, ${judged[index].verdict}` : ''}`;
    });
    return `| ${what} | ${cells.join(' | ')} | ${judged.at(-1)?.best ?? ''} |`;
  });
  const head = [`| | ${names.join(' | ')} | best of the others |`, `|---|${names.map(() => '--:').join('|')}|--:|`];
  const notes = findings.map(({ text, isMet }) => (isMet ? text : `${text} MISSED`));
  process.stdout.write(`${[...head, ...lines, '', ...notes].join('\n')}\n`);
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 2 : 3);
}

await main();
