import { setTimeout as wait } from 'node:timers/promises';
import { ask, askAll, getJson, quantile } from './client.ts';
import {
  type Contestant,
  cpuMs,
  isOpen,
  launch,
  type Message,
  type Running,
  rssMb,
  stop,
  untilOpen,
} from './contestant.ts';
import type { Scenario } from './scenario.ts';

export interface Bench {
  mockPort: number;
  isQuick: boolean;
}

/** A measured number of each contestant. */
export type Row = { what: string; unit: string; values: Map<string, number> };

/** The scenario to measure, and the name of its rows. */
interface Measured {
  scenario: Scenario;
  what: string;
}

export async function start(contestant: Contestant, { mockPort }: Bench, env?: NodeJS.ProcessEnv): Promise<Running> {
  const { file, port } = contestant;
  // Two measurements at a time would ask each other's servers.
  if (await isOpen(port)) throw new Error(`port ${port} is in use: does another measurement run?`);
  const child = launch(file, { port, mockPort, env: { ...contestant.env, ...env } });
  await untilOpen(contestant.port);
  return { ...contestant, child };
}

/** Measures from the start of the process to the end of its first answer. The first round only warms the disk. */
export async function coldStart(all: readonly Contestant[], bench: Bench): Promise<Row[]> {
  const wall = new Map<string, number[]>();
  const cpu = new Map<string, number[]>();
  for (let round = 0; round < (bench.isQuick ? 3 : 7); round++) {
    for (const contestant of all) {
      const startedAt = performance.now();
      const running = await start(contestant, bench);
      await ask(contestant, { tokens: 2 });
      if (round > 0) push(wall, contestant.name, performance.now() - startedAt);
      if (round > 0) push(cpu, contestant.name, cpuMs(running.child));
      await stop(running.child);
    }
  }
  return [row('cold start to the first answer', 'ms', wall), row('cold start, CPU', 'ms', cpu)];
}

/**
 * Measures one connection at a time and alternates the contestants, so that load on the machine affects all equally.
 */
export async function latency(
  all: readonly Running[],
  { scenario, what, count }: Measured & { count: number },
): Promise<Row[]> {
  const first = new Map<string, number[]>();
  const total = new Map<string, number[]>();
  for (let round = 0; round < count; round++) {
    for (const contestant of all) {
      const timing = await ask(contestant, scenario);
      push(first, contestant.name, timing.firstMs);
      push(total, contestant.name, timing.totalMs);
    }
  }
  return [row(`${what}, first token`, 'ms', first), row(`${what}, total`, 'ms', total)];
}

/** Measures CPU time per answer with one connection, in alternating blocks. */
export async function alone(
  all: readonly Running[],
  {
    scenario,
    what,
    bench,
    earlier = [],
    asks = 20,
  }: Measured & { bench: Bench; earlier?: readonly Message[]; asks?: number },
): Promise<Row[]> {
  const cpu = new Map<string, number[]>();
  const count = bench.isQuick ? 5 : asks;
  for (let round = 0; round < (bench.isQuick ? 2 : 7); round++) {
    for (const contestant of round % 2 ? [...all].reverse() : all) {
      if (!contestant.body(scenario, earlier)) continue;
      const before = cpuMs(contestant.child);
      for (let asked = 0; asked < count; asked++) await ask(contestant, scenario, undefined, earlier);
      push(cpu, contestant.name, (cpuMs(contestant.child) - before) / count);
    }
  }
  return [row(`${what}, CPU per answer`, 'ms', cpu)];
}

/** Earlier questions and answers of a conversation. */
export function conversation(messages: number): Message[] {
  return Array.from({ length: messages }, (_, index) => ({
    id: `earlier-${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index} of a long conversation about the work that is to be done.`,
  }));
}

/** Measures CPU time per answer with many connections, in alternating blocks. */
export async function throughput(
  all: readonly Running[],
  { scenario, what, bench, connections = 50 }: Measured & { bench: Bench; connections?: number },
): Promise<Row[]> {
  const cpu = new Map<string, number[]>();
  const bytes = new Map<string, number[]>();
  for (let round = 0; round < (bench.isQuick ? 2 : 4); round++) {
    for (const contestant of round % 2 ? [...all].reverse() : all) {
      const before = cpuMs(contestant.child);
      const timings = await askAll(contestant, scenario, { connections, ms: bench.isQuick ? 1_000 : 3_000 });
      push(cpu, contestant.name, (cpuMs(contestant.child) - before) / timings.length);
      push(
        bytes,
        contestant.name,
        quantile(
          timings.map((timing) => timing.bytes),
          0.5,
        ),
      );
    }
  }
  return [row(`${what}, CPU per answer`, 'ms', cpu), row(`${what}, bytes per answer`, 'B', bytes)];
}

/** Measures memory after the first answer, with 500 open streams, and after many turns; each in a fresh process. */
export async function memory(all: readonly Contestant[], bench: Bench): Promise<Row[]> {
  const atStart = new Map<string, number[]>();
  const withStreams = new Map<string, number[]>();
  const afterTurns = new Map<string, number[]>();
  const turns = bench.isQuick ? 1_000 : 10_000;
  for (const contestant of all) {
    const running = await start(contestant, bench);
    await ask(contestant, { tokens: 2 });
    push(atStart, contestant.name, rssMb(running.child));
    let opened = 0;
    const scenario = { tokens: 3, isHeld: true };
    const streams = Array.from({ length: 500 }, () => ask(contestant, scenario, () => opened++));
    for (let tries = 0; opened < 500 && tries < 600; tries++) await wait(50);
    push(withStreams, contestant.name, rssMb(running.child));
    await getJson(bench.mockPort, '/gate').catch(() => {});
    await Promise.all(streams);
    await stop(running.child);
    push(afterTurns, contestant.name, await memoryAfter(contestant, turns, bench));
  }
  return [
    row('memory after the first answer', 'MB', atStart),
    row('memory with 500 open streams', 'MB', withStreams),
    row(`memory after ${turns} turns`, 'MB', afterTurns),
  ];
}

async function memoryAfter(contestant: Contestant, turns: number, bench: Bench): Promise<number> {
  const running = await start(contestant, bench);
  let left = turns;
  const member = async () => {
    while (left-- > 0) await ask(contestant, { tokens: 5 });
  };
  await Promise.all(Array.from({ length: 10 }, member));
  const size = rssMb(running.child);
  await stop(running.child);
  return size;
}

const LIST_SIZES = [5, 100];

/** Measures CPU time per answer with short and long tool lists in each request; no tool is called. */
export async function toolLists(all: readonly Contestant[], bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of LIST_SIZES) {
    const running: Running[] = [];
    try {
      for (const one of all) running.push(await start(one, bench, { BENCH_TOOLS: String(size) }));
      const scenario = { tokens: 5 };
      for (const one of running) await askAll(one, scenario, { connections: 10, ms: bench.isQuick ? 1_000 : 3_000 });
      rows.push(...(await throughput(running, { scenario, what: `${size} tools in the list`, bench })).slice(0, 1));
    } finally {
      await Promise.all(running.map((one) => stop(one.child)));
    }
  }
  return rows;
}

/** Measures the time from a client's disconnect until the model request ends. */
export async function clientGone(all: readonly Running[], bench: Bench): Promise<Row[]> {
  const times = new Map<string, number[]>();
  for (const contestant of all) {
    for (let round = 0; round < 5; round++) {
      await ask(contestant, { tokens: 3, isHeld: true }, (request) => request.destroy()).catch(() => {});
      const leftAt = performance.now();
      for (let tries = 0; (await getJson(bench.mockPort, '/stats')).active !== 0 && tries < 500; tries++) await wait(2);
      push(times, contestant.name, performance.now() - leftAt);
      await getJson(bench.mockPort, '/gate').catch(() => {});
      await wait(50);
    }
  }
  return [row('client gone, model stopped after', 'ms', times)];
}

function push(lists: Map<string, number[]>, name: string, value: number): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}

function row(what: string, unit: string, lists: Map<string, number[]>): Row {
  return { what, unit, values: new Map([...lists].map(([name, values]) => [name, quantile(values, 0.5)])) };
}
