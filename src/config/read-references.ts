import type { AgentFile, InstructionParts } from '../schema/agent.ts';
import { isObject, type JsonObject, parseJson } from '../schema/json.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { readTextFile, resolveFile } from '../yaml/read-file.ts';
import type { Draft } from './check-shape.ts';
import { isUserBound } from './tool-rules.ts';

/** Joins the parts into the text that a model reads. `isUserBound`: a tool argument is bound to the user. */
export function layOutInstructions(parts: InstructionParts, isUserBound: boolean): string {
  const sections = [
    endSentence(parts.role.trim()),
    listLines('CRITICAL RULES', parts.rules),
    listLines('RESPONSE GUIDELINES', parts.guidelines),
    [parts.tools.trim(), ...(isUserBound ? [USER_LINE] : [])].join('\n\n'),
    LIMITS_LINE,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const USER_LINE = 'The system fills in who the user is: never ask for a user id and never pass one.';
const LIMITS_LINE =
  'Remember: help only with what your role and tools cover. For other requests, politely say what you can do.';

function endSentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function listLines(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `- ${line.trim()}`)].join('\n');
}

export interface References {
  /** Maps a path such as `tools.0` to the real path of its file. */
  paths: Map<string, string>;
  /** The text that the model reads; empty if it could not be built. */
  instructions: string;
  /** The schema of the answers. */
  responseFormat?: JsonObject;
  findings: Finding[];
}

/** Follows every `file:` of the agent, inside its folder only. */
export async function readReferences(draft: Draft, folder: string): Promise<References> {
  const references: References = { paths: new Map(), instructions: '', findings: [] };
  const follow = async (path: Path, file: string | undefined) => {
    if (file === undefined) return undefined;
    const resolved = await resolveFile(folder, file);
    if ('path' in resolved) references.paths.set(path.join('.'), resolved.path);
    else references.findings.push({ path, message: resolved.problem });
    return 'path' in resolved ? resolved.path : undefined;
  };
  for (const [index, tool] of draft.tools.entries()) {
    if (tool && 'file' in tool) await follow(['tools', index, 'file'], tool.file);
  }
  await follow(['server', 'auth', 'jwt', 'jwks_file'], draft.server?.auth?.jwt.jwks_file);
  await follow(['test_cases_file'], draft.test_cases_file);
  await readFormat(draft.response_format, references, follow);
  const { instructions } = draft;
  if (typeof instructions === 'string') references.instructions = instructions.trim();
  else if (instructions && 'inline' in instructions) references.instructions = instructions.inline.trim();
  else if (instructions && 'role' in instructions)
    references.instructions = layOutInstructions(instructions, isUserBound(draft.tools));
  else if (instructions) {
    const path = await follow(['instructions', 'file'], instructions.file);
    if (path !== undefined) await readInstructions(path, references);
  }
  return references;
}

type Follow = (path: Path, file: string) => Promise<string | undefined>;

/** The format is written in the file, or it is the name of a JSON file. */
async function readFormat(
  format: string | JsonObject | undefined,
  references: References,
  follow: Follow,
): Promise<void> {
  const at = ['response_format'];
  if (typeof format === 'object') references.responseFormat = format;
  const path = typeof format === 'string' ? await follow(at, format) : undefined;
  if (path === undefined) return;
  const read = await readTextFile(path);
  const schema = typeof read === 'object' && 'text' in read ? parseJson(read.text) : undefined;
  if (isObject(schema)) references.responseFormat = schema;
  else references.findings.push({ path: at, message: 'the file must hold a JSON Schema: a JSON object' });
}

async function readInstructions(path: string, references: References): Promise<void> {
  const read = await readTextFile(path);
  const at = ['instructions', 'file'];
  if (typeof read === 'string') references.findings.push({ path: at, message: 'could not be read' });
  else if ('problem' in read) references.findings.push({ path: at, message: `the file ${read.problem}` });
  else if (read.text.trim() === '') references.findings.push({ path: at, message: 'the file must not be empty' });
  else references.instructions = read.text.trim();
}

/** Replaces the written paths of the agent's tools, test cases and token check by real paths. */
export function withRealPaths(agent: AgentFile, paths: ReadonlyMap<string, string>): AgentFile {
  const tools = agent.tools.map((tool, index) => {
    const file = paths.get(`tools.${index}.file`);
    return file === undefined ? tool : { ...tool, file };
  });
  const cases = paths.get('test_cases_file');
  const moved = { ...agent, tools, ...(cases !== undefined && { test_cases_file: cases }) };
  const jwks = paths.get('server.auth.jwt.jwks_file');
  if (jwks === undefined || !agent.server.auth) return moved;
  const auth = { ...agent.server.auth, jwt: { ...agent.server.auth.jwt, jwks_file: jwks } };
  return { ...moved, server: { ...agent.server, auth } };
}
