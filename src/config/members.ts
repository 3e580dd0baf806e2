import { AppError } from '../errors.ts';
import { kindOf } from '../kinds/tool-kinds.ts';
import type { Agent, ToolEntry } from '../schema/agent.ts';
import { FileMember, InlineMember, MemberName, RemoteMember } from '../schema/team.ts';
import { checkValue } from '../yaml/describe-issue.ts';
import { didYouMean } from '../yaml/did-you-mean.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding, LocatedProblem } from '../yaml/problem.ts';
import { buildAgent } from './build-agent.ts';
import { checkShape, type Draft } from './check-shape.ts';
import { readReferences } from './read-references.ts';
import { checkRules } from './rules.ts';
import { findTwins, findUnused } from './team-rules.ts';
import { checkUserRule } from './tool-rules.ts';

/** Reads the agent file of a member, which has `model` if it names none. Throws as `readAgent` does. */
export type ReadMember = (file: string, model: unknown) => Promise<Agent | 'circle'>;

interface TeamContext {
  folder: string;
  draft: Draft;
  readMember: ReadMember;
  /** Functions in code. */
  functions?: readonly { name: string }[];
}

interface ReadTeam {
  members: Record<string, Agent>;
  /** The entries of members on other servers. */
  remotes: ToolEntry[];
  findings: Finding[];
  /** Problems in the members' own files. */
  problems: LocatedProblem[];
  hints: Finding[];
}

type ReadEntry = { member?: Agent; remote?: ToolEntry; findings?: Finding[]; problems?: readonly LocatedProblem[] };

/** Checks the shape of each member. */
export function checkEntries(agents: unknown): Finding[] {
  return entriesOf(agents).flatMap(([name, entry]) => [...checkName(name), ...checkEntry(name, entry)]);
}

/** Reads the members of a team: those in `value`, which has its variables filled, and those in files. */
export async function readMembers(value: Record<string, unknown>, context: TeamContext): Promise<ReadTeam> {
  const read: ReadTeam = { members: {}, remotes: [], findings: [], problems: [], hints: findUnused(context.draft) };
  for (const [name, entry] of entriesOf(value.agents)) {
    const { member, remote, findings = [], problems = [] } = await readEntry(name, { entry, value, context });
    read.findings.push(...checkName(name), ...findings);
    read.problems.push(...problems);
    if (member) read.members[name] = member;
    if (remote && context.draft.sub_agents?.includes(name)) read.remotes.push(remote);
    const message = 'has no description; the model of the team chooses a member by it';
    if ((member ?? remote) && !(member ?? remote)?.description)
      read.hints.push({ path: ['agents', name], message, onKey: true });
  }
  read.findings.push(...findTwins(context.draft, read.members));
  return read;
}

/** The agent with its members, each called `<team>/<member>`. */
export function withMembers(agent: Agent, members: Readonly<Record<string, Agent>> | undefined): Agent {
  if (!members) return agent;
  const named = Object.entries(members).map(([key, member]) => {
    const own = { ...member, name: `${agent.name}/${key}` };
    return [key, withMembers(own, member.members)];
  });
  return { ...agent, members: Object.fromEntries(named) };
}

function entriesOf(agents: unknown): [string, unknown][] {
  return isRecord(agents) ? Object.entries(agents) : [];
}

function checkName(name: string): Finding[] {
  const { findings } = checkValue(MemberName, name, { path: ['agents', name] });
  return findings.map((finding) => ({ ...finding, onKey: true }));
}

function checkEntry(name: string, entry: unknown): Finding[] {
  const path = ['agents', name];
  const given = Object(entry) as object;
  if ('a2a' in given) return readRemote(name, entry).findings ?? [];
  return checkValue<unknown>('file' in given ? FileMember : InlineMember, entry, { path }).findings;
}

interface Entry {
  entry: unknown;
  value: Record<string, unknown>;
  context: TeamContext;
}

async function readEntry(name: string, given: Entry): Promise<ReadEntry> {
  const findings = checkEntry(name, given.entry);
  if (findings.length > 0 || !isRecord(given.entry)) return { findings };
  const { file } = given.entry;
  if ('a2a' in given.entry) return readRemote(name, given.entry);
  return typeof file === 'string'
    ? readFile(['agents', name, 'file'], file, given)
    : readInline(name, given.entry, given);
}

/** A member on another server is an entry of a kind that `tools` does not accept. */
function readRemote(name: string, entry: unknown): ReadEntry {
  const path = ['agents', name];
  const { data, findings } = checkValue(RemoteMember, entry, { path });
  if (!data) return { findings };
  const remote: ToolEntry = { name, type: 'a2a', bind: {}, ...data };
  return { remote, findings: kindOf(remote).check?.(remote, path) ?? [] };
}

async function readFile(path: string[], file: string, { value, context }: Entry): Promise<ReadEntry> {
  try {
    const member = await context.readMember(file, value.model);
    if (member !== 'circle') return { member };
    return { findings: [{ path, message: 'is a team that this file belongs to; remove it, or a circle has no end' }] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'config_invalid') return { problems: (error.problems ?? []) as LocatedProblem[] };
    return { findings: [{ path, message: 'there is no such file; give the path of an agent.yaml from here' }] };
  }
}

/** A member without a file has what it names, and the rest of its team. */
async function readInline(name: string, own: Record<string, unknown>, { value, context }: Entry): Promise<ReadEntry> {
  const { folder, draft: team, functions = [] } = context;
  const names = (own.tools ?? []) as string[]; // checked with the entry
  const known = [...team.tools.map((tool) => tool?.name ?? ''), ...functions.map((one) => one.name)];
  const path = ['agents', name];
  const unknown = names.flatMap((tool, index): Finding[] => {
    if (known.includes(tool)) return [];
    const message = `no entry of tools has this name${didYouMean(tool, known)}`;
    return [{ path: [...path, 'tools', index], message }];
  });
  const tools = [value.tools ?? []].flat().filter((_, index) => names.includes(team.tools[index]?.name ?? ''));
  const merged = ['loop', 'limits'].map((key) => [key, { ...Object(value[key]), ...Object(own[key]) }]);
  const whole = { model: value.model, ...own, ...Object.fromEntries(merged), name: team.name ?? 'team', tools };
  const { draft } = checkShape(whole);
  const references = await readReferences(draft, folder);
  const found = [...checkRules(draft), ...checkUserRule(draft), ...references.findings];
  // The rest is the team's, which reports it.
  const findings = found
    .filter(({ path: [key = ''] }) => key !== 'tools' && key in own)
    .map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
  if (unknown.length + findings.length > 0) return { findings: [...unknown, ...findings] };
  const usable = functions.filter((one) => names.includes(one.name));
  return {
    member: { ...buildAgent(whole, { draft, references, folder }), ...(usable.length > 0 && { functions: usable }) },
  };
}
