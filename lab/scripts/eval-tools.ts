import { readFileSync } from 'node:fs';
import { playPlan } from '../../src/builtin/plan.ts';
import { rankTools } from '../../src/builtin/tools/choose-tool.ts';
import { planToolTurn } from '../../src/builtin/tools/plan-tools.ts';
import { readToolDocument } from '../../src/builtin/tools/tool-document.ts';
import { loadWordVectors } from '../../src/language/word-vectors.ts';
import { createZone } from '../../src/language/zoned-time.ts';
import type { ToolDefinition } from '../../src/models/model.ts';
import { isObject, type Json, type JsonObject } from '../../src/schema/json.ts';
import type { Miss } from './eval-intents.ts';
import { findData, readSet } from './find-data.ts';

const vectors = loadWordVectors();
/** The time of the messages without one of their own; the public set was written in 2023. */
const NOW = new Date('2026-11-16T12:00:00Z');

/** A message with the tools that are offered. Without `truth` every tool would be wrong. */
export interface ToolCase {
  say: string;
  now?: Date;
  tools: ToolDefinition[];
  truth?: { name: string; accepted: AcceptedArguments };
}

export interface ToolScore {
  count: number;
  /** Shares of the cases with a truth: the tool ranked first, and the call that was made. */
  chosen: number;
  called: number;
  /** Share of the cases without one that led to no call, and to no question about a tool either. */
  uncalled: number;
  declined: number;
  misses: Miss[];
  p95Ms: number;
}

export type Part = 'learn' | 'held-out';

/** Every third row is held out: its misses are not looked at. */
export function partOf<T>(rows: readonly T[], part: Part): T[] {
  return rows.filter((_, index) => (index % 3 === 2) === (part === 'held-out'));
}

/** Plays each case through the plan that answers users and judges the call that it makes. */
export function scoreToolCalls(cases: readonly ToolCase[]): ToolScore {
  const times: number[] = [];
  const judged = cases.map((one) => {
    const started = performance.now();
    const step = play(one);
    times.push(performance.now() - started);
    return judge(one, step);
  });
  const asked = judged.filter((_, index) => cases[index]?.truth);
  const others = judged.filter((_, index) => !cases[index]?.truth);
  const share = (rows: typeof judged, what: 'isChosen' | 'isCalled' | 'isUncalled' | 'isDeclined') =>
    rows.length === 0 ? 0 : rows.filter((row) => row[what]).length / rows.length;
  return {
    count: cases.length,
    chosen: share(asked, 'isChosen'),
    called: share(asked, 'isCalled'),
    uncalled: share(others, 'isUncalled'),
    declined: share(others, 'isDeclined'),
    misses: judged.flatMap(({ miss }) => (miss ? [miss] : [])),
    p95Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0,
  };
}

function play({ say, tools, now = NOW }: ToolCase) {
  const message = { id: 'm', role: 'user', content: say, timestamp: now.toISOString(), metadata: {} } as const;
  const talk = { intents: {}, tools, now, timezone: 'UTC', vectors };
  return playPlan(planToolTurn([{ message, records: [] }], talk), []);
}

function judge({ say, tools, truth, now = NOW }: ToolCase, step: ReturnType<typeof play>) {
  const calls = step.type === 'calls' ? step.calls : [];
  const pending = step.type === 'reply' ? step.reply.pending : undefined;
  const [call] = calls;
  const [best] = rankTools(
    say,
    { documents: tools.map(readToolDocument), intents: {}, vectors },
    { zone: createZone({ now, timezone: 'UTC' }), ids: [] },
  );
  const isChosen = truth !== undefined && best?.document.tool.name === truth.name;
  const wrong = truth && call && call.name === truth.name ? wrongIn(call.arguments, tools, truth) : [];
  const isCalled = truth !== undefined && calls.length === 1 && call?.name === truth.name && wrong.length === 0;
  const isUncalled = calls.length === 0;
  const isDeclined = isUncalled && pending === undefined;
  const miss = (truth ? isCalled : isDeclined)
    ? undefined
    : describeMiss({ say, tools, ...(truth && { truth }) }, step, wrong);
  return { isChosen, isCalled, isUncalled, isDeclined, miss };
}

function describeMiss({ say, truth }: ToolCase, step: ReturnType<typeof play>, wrong: readonly string[]): Miss {
  const text = step.type === 'reply' ? step.reply.text.slice(0, 200) : step.type;
  const got = step.type === 'calls' ? JSON.stringify(step.calls) : text;
  return {
    text: say,
    expected: truth ? `${truth.name} ${JSON.stringify(truth.accepted)}` : 'declined',
    got: `${got} ${wrong.join()}`,
  };
}

function wrongIn(
  given: JsonObject,
  tools: readonly ToolDefinition[],
  { name, accepted }: NonNullable<ToolCase['truth']>,
) {
  const required = tools.find((tool) => tool.name === name)?.inputSchema.required;
  return findWrongArguments(given, accepted, Array.isArray(required) ? required.map(String) : []);
}

interface Row {
  id: string;
  question: { role: string; content: string }[][];
  function: { name: string; description: string; parameters: JsonObject }[];
}

/** Reads a public file; `name` without its ending. */
export function readPublicCases(name: string, { hasTruth = true } = {}): ToolCase[] {
  const answers = new Map(
    hasTruth
      ? readRows<{ id: string; ground_truth: Record<string, AcceptedArguments>[] }>(`tools/${name}_ans.jsonl`).map(
          (row) => [row.id, row.ground_truth[0] ?? {}] as const,
        )
      : [],
  );
  return readRows<Row>(`tools/${name}.jsonl`).map((row) => {
    const [found] = Object.entries(answers.get(row.id) ?? {});
    return {
      say: (row.question[0] ?? []).flatMap((message) => (message.role === 'user' ? message.content : [])).join(' '),
      tools: row.function.map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: tool.parameters,
      })),
      ...(found && { truth: { name: found[0], accepted: found[1] } }),
    };
  });
}

interface OutsideRow {
  say: string;
  now?: string;
  tools: Row['function'];
  expect: { name: string; arguments: JsonObject; acceptable?: AcceptedArguments } | null;
}

/**
 * Reads the cases of an outside author. They list one value for each argument, and at times other ones that are as good: in
 * `acceptable`, or as a list where the schema asks for no list.
 */
export function readOutsideCases(set: string): ToolCase[] {
  return readSet<OutsideRow>(findData('tool-calls.jsonl'), set).map(({ say, now, tools, expect }) => ({
    say,
    ...(now && { now: new Date(`${now}T12:00:00Z`) }),
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: tool.parameters })),
    ...(expect && {
      truth: { name: expect.name, accepted: { ...toAccepted(expect, tools), ...expect.acceptable } },
    }),
  }));
}

function toAccepted(expect: NonNullable<OutsideRow['expect']>, tools: OutsideRow['tools']): AcceptedArguments {
  const schemas = tools.find(({ name }) => name === expect.name)?.parameters.properties;
  const takesList = (name: string) => {
    const schema = isObject(schemas) ? schemas[name] : undefined;
    return isObject(schema) && /array|list|tuple/.test(String(schema.type));
  };
  return Object.fromEntries(
    Object.entries(expect.arguments).map(([name, value]) => [
      name,
      Array.isArray(value) && !takesList(name) ? value : [value],
    ]),
  );
}

function readRows<T extends object>(name: string): T[] {
  return readFileSync(findData(name), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/**
 * Prints the numbers of outside sets, and with --misses every missed call. `--rows odd` or `--rows even` takes half of a set.
 * Usage: npm run eval -- tools [--misses] [--rows odd|even] 2026-11-17h …
 */
function printSets(given: readonly string[]): void {
  const rows = /--rows (odd|even)/.exec(given.join(' '))?.[1];
  for (const set of given.filter((argument) => /^\d/.test(argument))) {
    const cases = readOutsideCases(set);
    const taken = rows === undefined ? cases : cases.filter((_, index) => (index % 2 === 0) === (rows === 'odd'));
    const { count, chosen, called, declined, misses } = scoreToolCalls(taken);
    if (given.includes('--misses'))
      for (const { text, expected, got } of misses) console.log(`> ${text}\n  expected ${expected}\n  got      ${got}`);
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    console.log(
      `${set}: ${count} rows, tool ${percent(chosen)}, whole call ${percent(called)}, declined ${percent(declined)}`,
    );
  }
}

if (import.meta.main) printSets(process.argv.slice(2));

/** The accepted values of each argument, as BFCL lists them. An empty text in the list allows the argument's absence. */
type AcceptedArguments = Readonly<Record<string, readonly Json[]>>;

/** The names of the arguments that BFCL's own checker would refuse. */
export function findWrongArguments(
  given: JsonObject,
  accepted: AcceptedArguments,
  required: readonly string[] = [],
): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(accepted, name));
  const wrong = Object.entries(accepted).flatMap(([name, values]) => {
    const value = given[name];
    if (value === undefined) return values.includes('') && !required.includes(name) ? [] : [name];
    return values.some((one) => isSame(value, one)) ? [] : [name];
  });
  return [...unknown, ...wrong];
}

function isSame(given: Json, accepted: Json): boolean {
  if (typeof given === 'string' && typeof accepted === 'string') return plain(given) === plain(accepted);
  if (Array.isArray(given) && Array.isArray(accepted))
    return given.length === accepted.length && given.every((item, index) => isSame(item, accepted[index] ?? null));
  if (isObject(given) && isObject(accepted)) return findWrongArguments(given, toLists(accepted)).length === 0;
  return given === accepted;
}

/** The values of an object in the truth are lists, too; a few rows write them bare. */
function toLists(accepted: JsonObject): AcceptedArguments {
  return Object.fromEntries(
    Object.entries(accepted).map(([name, values]) => [name, Array.isArray(values) ? values : [values]]),
  );
}

/** BFCL compares texts without case, spaces and these marks. */
function plain(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .replaceAll("'", '"')
    .toLowerCase();
}
