/**
 * Compares the served agent (journal on) with a hand-written loop, in one run, as ratios. With `--peers` other runtimes
 * take part in the same run on the same Node, and the best of them judges each row. Exits with 1 if a row is behind or a
 * limit under load is missed. `--write` puts the table and the picture into docs/performance.md. Run:
 * npm run bench -- [--peers] [--quick] [--write] [--only cold,latency,paced,throughput,tools,history,lists,memory,gone,load,flood]
 */
import { parseArgs } from 'node:util';
import { chatStart } from './chat-start.ts';
import { askAll } from './client.ts';
import {
  alone,
  type Bench,
  clientGone,
  coldStart,
  conversation,
  latency,
  memory,
  type Row,
  throughput,
  toolLists,
} from './compare.ts';
import { contestants, launch, type Running, stop, untilOpen } from './contestant.ts';
import { oneUsersFlood } from './flood.ts';
import { installPeers } from './install-peers.ts';
import { judge } from './judge.ts';
import { writeReport } from './report.ts';
import type { Scenario } from './scenario.ts';
import { type Finding, healthUnderLoad, idleFollowers, overload } from './under-load.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    peers: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const bench: Bench = { mockPort: 19_900, isQuick: options.quick ?? false };
/** Phases that measure servers that are already warm. */
const RUNNING_PHASES = ['latency', 'paced', 'throughput', 'tools', 'history', 'gone', 'load'];
const peers = options.peers ? installPeers() : [];
/** The number of turns that agent/few-places.yaml runs at once. */
const PLACES = 40;

async function main(): Promise<void> {
  const mock = launch('mock-model.ts', { port: bench.mockPort, mockPort: bench.mockPort });
  await untilOpen(bench.mockPort);
  const all = contestants(19_201, { peers });
  const rows: Row[] = [];
  const findings: Finding[] = [];
  try {
    if (wants('cold')) rows.push(...(await coldStart(all, bench)));
    if (wants('cold')) findings.push(await chatStart(bench));
    if (wants('memory')) rows.push(...(await memory(all, bench)));
    if (wants('lists')) rows.push(...(await toolLists(all.slice(0, 3), bench)));
    if (wants('flood')) findings.push(await oneUsersFlood({ port: 19_241, mockPort: bench.mockPort }));
    if (RUNNING_PHASES.some(wants)) await withRunning(async (running) => measure(running, rows, findings));
  } finally {
    await stop(mock);
  }
  print(rows, findings);
  if (options.write) writeReport({ names, rows, findings });
  const isBehind = rows.some((row) => OURS.some((name) => judge(row, name, peerNames) === 'behind'));
  process.exit(!isBehind && findings.every(({ isMet }) => isMet) ? 0 : 1);
}

async function withRunning(work: (running: Running[]) => Promise<void>): Promise<void> {
  const running = contestants(19_221, { peers, hasNoStore: true }).map(
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
  const alternate = async (scenario: Scenario, what: string) =>
    rows.push(...(await alone(running, { scenario, what, bench })));
  if (wants('latency')) {
    rows.push(...(await latency(running, { scenario: { tokens: 20 }, what: '20 tokens', count })));
    await alternate({ tokens: 20 }, '20 tokens');
  }
  if (wants('paced')) {
    await alternate({ tokens: 20, gapMs: 5 }, '20 tokens 5 ms apart');
    await alternate({ tokens: 20, gapMs: 20 }, '20 tokens 20 ms apart');
    const paced = { scenario: { tokens: 50, gapMs: 20 }, what: '200 paced streams', bench, connections: 200 };
    rows.push(...(await throughput(running, paced)).slice(0, 1));
  }
  if (wants('history')) {
    const scenario = { tokens: 20 };
    for (const messages of [50, 1_000])
      rows.push(
        ...(await alone(running, { scenario, what: `${messages} messages`, bench, earlier: conversation(messages) })),
      );
  }
  if (wants('throughput'))
    rows.push(
      ...(await throughput(running, { scenario: { tokens: 200 }, what: '50 connections × 200 tokens', bench })),
    );
  if (wants('tools')) {
    const oneCall = { tokens: 5, calls: 1 };
    const fiveCalls = { tokens: 5, calls: 5, toolMs: 100 };
    const fourSteps = { tokens: 5, calls: 1, steps: 4 };
    rows.push(...(await latency(running, { scenario: oneCall, what: 'one tool call', count })).slice(1));
    await alternate(oneCall, 'one tool call');
    rows.push(...(await latency(running, { scenario: fourSteps, what: 'four tool steps', count })).slice(1));
    await alternate(fourSteps, 'four tool steps');
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
  const port = rest.port + 10;
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

const names = contestants(0, { peers, hasNoStore: true }).map((one) => one.name);
const OURS = ['holodeck ag-ui', 'holodeck rest'];
const peerNames = peers.map(({ name }) => name);

function print(rows: readonly Row[], findings: readonly Finding[]): void {
  const lines = rows.map((row) => {
    const { what, unit, values } = row;
    const floor = values.get('floor') ?? Number.NaN;
    const cells = names.map((name) => {
      const value = values.get(name);
      if (value === undefined) return '–';
      if (name === 'floor') return `${short(value)} ${unit}`;
      const verdict = OURS.includes(name) && judge(row, name, peerNames);
      return `${short(value)} ${unit} (× ${short(value / floor)})${verdict ? `, ${verdict}` : ''}`;
    });
    return `| ${what} | ${cells.join(' | ')} |`;
  });
  const head = [`| | ${names.join(' | ')} |`, `|---|${names.map(() => '--:').join('|')}|`];
  const notes = findings.map(({ text, isMet }) => (isMet ? text : `${text} MISSED`));
  process.stdout.write(`${[...head, ...lines, '', ...notes].join('\n')}\n`);
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 2 : 3);
}

await main();
