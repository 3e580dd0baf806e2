import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { systemClock } from '../src/clock.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { readTestCases } from '../src/evals/cases/read-test-cases.ts';
import { runSuite } from '../src/evals/run/run-suite.ts';
import { systemIds } from '../src/ids.ts';

/** A change of a shipped agent that its cases should notice. */
export interface Mutant {
  name: string;
  /** The file that changes, relative to the agent's folder. */
  file: string;
  /** Words of the part that changes; cases that share them run first. */
  about: string;
  change(document: Document): void;
}

/** The parts of agent.yaml and of a space that change. */
interface Document {
  tools: { allow?: string[]; bind?: object }[];
  intents: Record<string, { tool?: string; reply?: string }>;
  instructions: { rules: string[] };
  domains: { name: string; description: string; enabled?: boolean; mcp_tools: string[] }[];
  measures: Record<string, MeasureEntry>;
  filters: Record<string, { is?: number; where?: string; rows?: string }>;
}

/** The keys that say how a measure is computed; the others are its words. */
const COMPUTATION = ['sum', 'average', 'count', 'share', 'ratio', 'where', 'time_sum', 'unit'] as const;
type MeasureEntry = Partial<Record<(typeof COMPUTATION)[number], unknown>>;

const TASK_TOOLS = ['add_task', 'list_tasks', 'complete_task', 'update_task', 'delete_task'];

/** Removed tools, intents that call another tool, and replies that say something else. */
export function todoMutants(): Mutant[] {
  const file = 'agent.yaml';
  const intents = TASK_TOOLS.map((tool, index) => ({ tool, other: TASK_TOOLS[(index + 1) % TASK_TOOLS.length] ?? '' }));
  const nameOf = (tool: string) => (tool === 'add_task' ? 'create_task' : tool);
  return [
    ...TASK_TOOLS.map((tool) => ({
      name: `${tool} removed`,
      file,
      about: tool,
      change: (agent: Document) => assign(agent.tools[0], { allow: TASK_TOOLS.filter((other) => other !== tool) }),
    })),
    ...intents.map(({ tool, other }) => ({
      name: `${nameOf(tool)} calls ${other}`,
      file,
      about: tool,
      change: (agent: Document) => assign(agent.intents[nameOf(tool)], { tool: other }),
    })),
    {
      name: 'the user is not bound',
      file,
      about: 'user',
      change: (agent: Document) => assign(agent.tools[0], { bind: {} }),
    },
    {
      name: 'the rule about users removed',
      file,
      about: 'user',
      change: (agent: Document) => void agent.instructions.rules.splice(0, 2),
    },
    ...['create_task', 'unknown'].map((intent) => ({
      name: `${intent} replies something else`,
      file,
      about: intent,
      change: (agent: Document) => assign(agent.intents[intent], { reply: 'Sure, that is Paris.' }),
    })),
  ];
}

/** Removed domains, swapped tools, and changed measures and conditions of the spaces. */
export function retailMutants(folder: string): Mutant[] {
  const agent: Document = parse(readFileSync(join(folder, 'agent.yaml'), 'utf8'));
  const domains: Mutant[] = agent.domains.flatMap(({ name, description }, index) => {
    const next = (index + 1) % agent.domains.length;
    const about = `${name} ${description}`;
    return [
      {
        name: `domain ${name} disabled`,
        file: 'agent.yaml',
        about,
        change: (document: Document) => assign(document.domains[index], { enabled: false }),
      },
      {
        name: `domain ${name} asks the space of another`,
        file: 'agent.yaml',
        about,
        change(document: Document) {
          const [a, b] = [document.domains[index]?.mcp_tools, document.domains[next]?.mcp_tools];
          assign(document.domains[index], { mcp_tools: b });
          assign(document.domains[next], { mcp_tools: a });
        },
      },
    ];
  });
  return [...domains, ...['sales', 'stock', 'reviews'].flatMap((space) => modelMutants(folder, space))];
}

/** Measures with the computation of the next one or without their condition, and conditions that mean the opposite. */
function modelMutants(folder: string, space: string): Mutant[] {
  const file = `spaces/${space}.yaml`;
  const { measures, filters }: Document = parse(readFileSync(join(folder, file), 'utf8'));
  const names = Object.keys(measures);
  const swapped = names.map((name, index): Mutant => {
    const next = names[(index + 1) % names.length] ?? name;
    return {
      name: `${space}: ${name} is computed like ${next}`,
      file,
      about: name,
      change: (document) => recompute(document.measures[name], measures[next] ?? {}),
    };
  });
  const widened = names
    .filter((name) => measures[name]?.where !== undefined)
    .map(
      (name): Mutant => ({
        name: `${space}: ${name} without its condition`,
        file,
        about: name,
        change: (document) => void delete document.measures[name]?.where,
      }),
    );
  const turned = Object.keys(filters).map(
    (name): Mutant => ({
      name: `${space}: ${name} means the opposite`,
      file,
      about: name,
      change: (document) => turn(document.filters[name]),
    }),
  );
  return [...swapped, ...widened, ...turned];
}

function recompute(measure: MeasureEntry | undefined, other: MeasureEntry): void {
  for (const key of COMPUTATION) {
    delete measure?.[key];
    if (other[key] !== undefined) assign(measure, { [key]: other[key] });
  }
}

/** 1 becomes 0, and each comparison its opposite. */
function turn(filter: Document['filters'][string] | undefined): void {
  const opposite = (text: string) => text.replace(/[<>=]/, (sign) => ({ '<': '>=', '>': '<=' })[sign] ?? '<>');
  if (filter?.is !== undefined) assign(filter, { is: 1 - filter.is });
  if (filter?.where !== undefined) assign(filter, { where: opposite(filter.where) });
  if (filter?.rows !== undefined) assign(filter, { rows: opposite(filter.rows) });
}

function assign(part: object | undefined, values: object): void {
  Object.assign(part ?? {}, values);
}

/** Runs the cases against a mutant until one fails. Returns its name; undefined if no case notices the change. */
export async function findNotice(folder: string, mutant: Mutant, parallel = 2): Promise<string | undefined> {
  const copy = mkdtempSync(join(tmpdir(), 'holodeck-mutant-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const document = parse(readFileSync(join(copy, mutant.file), 'utf8'));
    mutant.change(document);
    writeFileSync(join(copy, mutant.file), stringify(document));
    const agent = await loadAgent(copy, { withTests: true });
    const cases = (await readTestCases(agent)).toSorted((a, b) => shared(b, mutant) - shared(a, mutant));
    const report = await runSuite({ agent, cases, clock: systemClock, ids: systemIds, parallel, stopsAtFailure: true });
    return report.cases.find(({ status }) => status !== 'passed')?.name;
  } catch (error) {
    // A change that the agent file's own rules refuse is noticed before any case.
    return `does not start: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function shared(testCase: object, { about }: Mutant): number {
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g));
  const own = words(JSON.stringify(testCase));
  return [...words(about)].filter((word) => own.has(word)).length;
}
