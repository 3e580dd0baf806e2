import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../errors.ts';
import { placeOfEntry } from '../knowledge/python-entry.ts';
import type { Agent } from '../schema/agent.ts';
import type { KnowledgeMap } from '../schema/knowledge/entry.ts';
import { checkValue } from '../yaml/describe-issue.ts';
import { displayPath, type Layer, locateFinding, readLayer } from '../yaml/layer.ts';
import { getIn } from '../yaml/locate.ts';
import {
  configInvalid,
  type Finding,
  formatPath,
  formatProblem,
  type LocatedProblem,
  type Path,
} from '../yaml/problem.ts';
import { readTextFile } from '../yaml/read-file.ts';
import { buildAgent } from './build-agent.ts';
import { checkShape, checkTopKeys } from './check-shape.ts';
import { convertFilled, fillKeys, fillVariables, readVariables, type Variables } from './fill-env.ts';
import { mergeLayers, readConfigLayers, separateProviders } from './layers.ts';
import type { ReadMember } from './members.ts';
import { checkOrigins } from './origins.ts';
import { placeOfAgent } from './python-agents.ts';
import { findUnsupported, readPythonKeys } from './python-keys.ts';
import { readReferences } from './read-references.ts';
import { checkRules } from './rules.ts';
import { findLiteralSecrets } from './secrets.ts';
import { checkUserRule, findHints, findLaunchDoubts } from './tool-rules.ts';

export interface LoadOptions {
  env?: Variables;
  /** Settings from flags, in the shape of agent.yaml. They override every file and are not filled. */
  overrides?: Record<string, unknown>;
  /** The base of relative paths, and a place where holodeck.yaml is looked up. */
  cwd?: string;
  /** Reads `evaluations` and the test cases too. Only tests need them, and their judge's key may be missing elsewhere. */
  withTests?: boolean;
  /** Receives warnings for the user: keys without effect, secrets that go to an address from another file. */
  onWarning?(warning: string): void;
}

/** An agent, with facts about its files. */
export interface ReadAgent {
  agent: Agent;
  /** Whether the agent's own file names a model, so that the user's settings do not choose it. */
  namesModel: boolean;
  /** Advice about a file without problems. */
  hints: LocatedProblem[];
  /** Locates a finding that was made in the agent later. */
  locate(finding: Finding): LocatedProblem;
}

/** Like `readAgent`, for callers that need only the agent. */
export async function loadAgent(path: string, options: LoadOptions = {}): Promise<Agent> {
  return (await readAgent(path, options)).agent;
}

/**
 * Reads and checks an agent.yaml, or the one in a folder. Precedence: overrides, agent.yaml, project, user, default.
 * Throws `config_not_found`, or `config_invalid` with every problem at once. No message contains a value.
 */
export async function readAgent(path: string, options: LoadOptions = {}): Promise<ReadAgent> {
  const { cwd = process.cwd() } = options;
  return readFrom(await findAgentFile(path, cwd), { ...options, cwd });
}

/** Keys that count in the file of the team only. */
const OF_TEAM = ['server', 'database', 'retention', 'starters'];

interface Above {
  teams: readonly string[];
  model: unknown;
}

/** `above`: the teams that the file is a member of, and the model that it has unless it names one. */
async function readFrom(file: string, options: LoadOptions & { cwd: string }, above?: Above): Promise<ReadAgent> {
  const { env = process.env, cwd, overrides = {} } = options;
  const agentLayer = await readLayer(file, 'agent', cwd);
  if (!agentLayer) throw notFound(file, cwd);
  const folder = await realpath(dirname(file));
  const read = [agentLayer, ...(await readConfigLayers(folder, cwd, env))];
  if (read.some((layer) => layer.isBroken)) throw configInvalid(read.flatMap((layer) => layer.problems));
  const environment = await readVariables(folder, env);
  const flags: Layer = { kind: 'overrides', file: 'command line', value: overrides };
  const isBare = agentLayer.layer.value.model === undefined;
  const inherited: Layer[] =
    above && isBare ? [{ kind: 'overrides', file: INHERITED, value: { model: above.model } }] : [];
  const layers = separateProviders([flags, ...inherited, ...read.map(({ layer }) => layer)]);
  const origins = checkOrigins(layers);
  const known = [...read.flatMap((layer) => layer.problems), ...environment.problems, ...origins.problems];
  const below: LocatedProblem[] = [];
  const teams = [...(above?.teams ?? []), await realpath(file)];
  const readMember = memberReader({ ...options, cwd }, { folder, teams, onHint: (hint) => below.push(hint) });
  const { agent, hints, doubts, problems } = await checkLayers(layers, {
    folder,
    variables: environment.variables,
    known,
    withTests: options.withTests ?? false,
    readMember,
  });
  if (!agent) throw configInvalid(problems);
  for (const warning of origins.warnings) options.onWarning?.(formatProblem(warning));
  for (const { layer } of read)
    for (const warning of findUnsupported(layer)) options.onWarning?.(formatProblem(locateFinding(warning, [layer])));
  const locate = (finding: Finding) => locateFinding(finding, layers);
  for (const doubt of doubts) options.onWarning?.(formatProblem(locate(doubt)));
  const namesModel = getIn(agentLayer.layer.value, ['model', 'provider']) !== undefined;
  const idle = !above ? [] : OF_TEAM.filter((key) => agentLayer.layer.value[key] !== undefined);
  const ignored = idle.map((key) => ({ path: [key], message: 'counts in the file of the team only', onKey: true }));
  return { agent, namesModel, hints: [...[...hints, ...ignored].map(locate), ...below], locate };
}

interface MemberPlace {
  folder: string;
  /** The files of the teams around the member. */
  teams: readonly string[];
  onHint(hint: LocatedProblem): void;
}

/** Reads members' files, from the folder of their team. */
export function memberReader(
  options: LoadOptions & { cwd: string },
  { folder, teams, onHint }: MemberPlace,
): ReadMember {
  return async (name, model) => {
    const path = await findAgentFile(name, folder);
    if (teams.includes(await realpath(path).catch(() => path))) return 'circle';
    const member = await readFrom(path, { ...options, withTests: false }, { teams, model });
    for (const hint of member.hints) onHint(hint);
    return member.agent;
  };
}

const INHERITED = 'the file of the team';

async function findAgentFile(path: string, cwd: string): Promise<string> {
  const file = resolve(cwd, path);
  return (await readTextFile(file, 0)) === 'folder' ? join(file, 'agent.yaml') : file;
}

function notFound(file: string, cwd: string): AppError {
  const shown = displayPath(file, cwd);
  return new AppError('config_not_found', {
    detail: `${shown}: no such file. Give the path of an agent.yaml, or create one with holodeck init`,
  });
}

interface CheckContext {
  folder: string;
  withTests: boolean;
  variables: ReadonlyMap<string, string>;
  /** Problems of the text itself. Findings that follow from them are not reported again. */
  known: readonly LocatedProblem[];
  readMember: ReadMember;
  /** Functions in code, which members may use too. */
  functions?: readonly { name: string }[];
}

type Checked =
  | { agent: Agent; hints: Finding[]; doubts: Finding[]; problems?: never }
  | { agent?: never; hints?: never; doubts?: never; problems: LocatedProblem[] };

/** Checks the merged layers and the files that they name. */
export async function checkLayers(layers: readonly Layer[], context: CheckContext): Promise<Checked> {
  const { folder, variables, known } = context;
  const isLiteral = (path: Path) =>
    layers.some((layer) => layer.kind === 'overrides' && getIn(layer.value, path) !== undefined);
  const files = mergeLayers(layers);
  const merged = readPythonKeys(files, context.withTests);
  const secrets = findLiteralSecrets(merged).filter(({ path }) => !isLiteral(path));
  const filled = fillVariables(merged, { variables, isLiteral });
  const team = merged.agents === undefined ? undefined : await import('./members.ts');
  const withTexts = async () => [
    ...checkShape(filled.value).findings,
    ...(await checkKnowledge(filled.value.knowledge)).findings,
    ...(team?.checkEntries(filled.value.agents) ?? []),
  ];
  const first = filled.whole.length > 0 ? await withTexts() : [];
  const value = convertFilled(filled, first);
  fillKeys(value, variables);
  const { draft, findings } = checkShape(value);
  const knowledge = await checkKnowledge(value.knowledge);
  const references = await readReferences(draft, folder);
  const members = await team?.readMembers(value, { ...context, draft });
  const rules = [...checkRules(draft), ...checkUserRule(draft), ...(members?.findings ?? [])];
  const found = [...secrets, ...filled.findings, ...findings, ...knowledge.findings, ...rules, ...references.findings];
  const unknown = layers.flatMap((layer) => checkTopKeys(layer).map((finding) => ({ finding, layer })));
  const meant = findMeant([...found, ...unknown.map(({ finding }) => finding)]);
  const keys = unknown.map(({ finding, layer }) => locateFinding(finding, layers, layer));
  const located = found
    .filter(({ path, isMissing }) => !isMissing || !meant.has(formatPath(path)))
    .map((finding) =>
      locateFinding({ ...finding, path: placeOfAgent(placeOfEntry(finding.path, files.tools), files) }, layers),
    );
  const below = members?.problems.filter((problem) => problem.file !== INHERITED) ?? [];
  const problems = [...firstPerPath([...known, ...keys, ...located]), ...below];
  if (problems.length > 0) return { problems };
  const built = buildAgent(value, { draft, references, folder, knowledge: knowledge.data });
  const agent = { ...built, tools: [...built.tools, ...(members?.remotes ?? [])] };
  const hints = [...findHints(draft, references.instructions), ...(members?.hints ?? [])];
  return {
    agent: members ? (team?.withMembers(agent, members.members) ?? agent) : agent,
    hints,
    doubts: [
      ...findLaunchDoubts(draft.tools),
      ...(knowledge.data ? await findSourceDoubts(knowledge.data, folder) : []),
    ].map((doubt) => ({ ...doubt, path: placeOfEntry(doubt.path, files.tools) })),
  };
}

/** The keys that misspelt ones were meant to be: they do not count as missing. */
function findMeant(findings: readonly Finding[]): Set<string> {
  return new Set(findings.flatMap(({ path, near }) => (near ? [formatPath([...path.slice(0, -1), near])] : [])));
}

/** Keeps one problem per path: a later problem mostly follows from the first. */
function firstPerPath(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => path === '' || (!seen.has(path) && seen.add(path)));
}

/** Sources that do not exist, or are outside of the agent's folder: every answer would be a refusal. */
async function findSourceDoubts(map: KnowledgeMap, folder: string): Promise<Finding[]> {
  const { locateSource } = await import('../knowledge/read/find-files.ts');
  const sources = Object.entries(map).flatMap(([name, { source }]) => {
    const path = ['knowledge', name, 'source'];
    return typeof source === 'string'
      ? [{ path, source }]
      : source.map((one, at) => ({ path: [...path, at], source: one }));
  });
  const faults = sources.map(async ({ path, source }) => ({
    path,
    message: (await locateSource(folder, source)).fault,
  }));
  return (await Promise.all(faults)).flatMap(({ path, message }) => (message ? [{ path, message }] : []));
}

/** Checks `knowledge`. Its schema is loaded only for files that have the key. */
async function checkKnowledge(value: unknown): Promise<{ data?: KnowledgeMap | undefined; findings: Finding[] }> {
  if (value === undefined) return { findings: [] };
  const { KnowledgeMap } = await import('../schema/knowledge/entry.ts');
  return checkValue(KnowledgeMap, value, { path: ['knowledge'] });
}
