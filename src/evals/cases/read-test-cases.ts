import { convertFilled, fillVariables, readVariables, type Variables } from '../../config/fill-env.ts';
import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { type TestCase, TestCaseFile } from '../../schema/tests/test-case.ts';
import { checkValue } from '../../yaml/describe-issue.ts';
import { displayPath } from '../../yaml/layer.ts';
import { findSpot } from '../../yaml/locate.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import { configInvalid, type Finding, formatPath, type LocatedProblem } from '../../yaml/problem.ts';
import { readTextFile } from '../../yaml/read-file.ts';

/** A case with the name that reports use. */
export type NamedCase = TestCase & { name: string };

const MAX_CASES_BYTES = 2 * 1024 * 1024;

/** The agent's test cases, from agent.yaml or from their own file. Throws `cases_invalid` with every problem. */
export async function readTestCases(
  agent: Agent,
  { env = process.env, cwd = process.cwd() }: { env?: Variables; cwd?: string } = {},
): Promise<NamedCase[]> {
  const file = agent.test_cases_file;
  const cases = file === undefined ? (agent.test_cases ?? []) : await readFileCases(file, { agent, env, cwd });
  const named = cases.map((testCase, index) => ({ ...testCase, name: nameOf(testCase, index) }));
  const shown = file === undefined ? 'agent.yaml' : displayPath(file, cwd);
  const twice = named.filter(({ name }, index) => named.findIndex((other) => other.name === name) < index);
  if (twice.length > 0) {
    throw casesInvalid(twice.map(({ name }) => ({ file: shown, path: '', message: `two cases are named "${name}"` })));
  }
  return named;
}

function nameOf({ name, input, turns }: TestCase, index: number): string {
  return name ?? `${index + 1}: ${(input ?? turns?.[0]?.input ?? '').slice(0, 60)}`;
}

interface FileContext {
  agent: Agent;
  env: Variables;
  cwd: string;
}

async function readFileCases(path: string, { agent, env, cwd }: FileContext): Promise<TestCase[]> {
  const file = displayPath(path, cwd);
  const read = await readTextFile(path, MAX_CASES_BYTES);
  if (typeof read === 'string') throw casesInvalid([{ file, path: '', message: 'could not be read' }]);
  if ('problem' in read) throw casesInvalid([{ file, path: '', message: read.problem }]);
  // A bare list becomes the value of the key, one line further down and one column to the right.
  const isList = /^(?:\s*(?:#.*)?\n|---\s*\n)*(?:-\s|\[)/.test(read.text);
  const parsed = parseYaml(isList ? toCasesMap(read.text) : read.text, file);
  const shift = isList ? 1 : 0;
  const moved = ({ line = 1, column = 1, ...problem }: LocatedProblem) => ({
    ...problem,
    line: line - shift,
    column: Math.max(column - shift, 1),
  });
  if (parsed.problems.length > 0) throw casesInvalid(parsed.problems.map(moved));
  const { variables } = await readVariables(agent.folder, env);
  const filled = fillVariables(parsed.value, { variables, isLiteral: () => false });
  const value = convertFilled(filled, checkValue(TestCaseFile, filled.value).findings);
  const { data, findings } = checkValue(TestCaseFile, value);
  const place = (finding: Finding): LocatedProblem => {
    const { line, col } = parsed.lines.linePos(findSpot(parsed.spot, finding.path, finding.onKey).offset);
    return moved({ file, line, column: col, path: formatPath(finding.path), message: finding.message });
  };
  const problems = [...filled.findings, ...findings].map(place);
  if (!data || problems.length > 0) throw casesInvalid(problems);
  const { now, timezone, test_cases } = data;
  return test_cases.map((one) => ({ ...(now && { now }), ...(timezone && { timezone }), ...one }));
}

function toCasesMap(list: string): string {
  return `test_cases:\n${list.replace(/^---\s*\n/, '\n').replace(/^/gm, ' ')}`;
}

function casesInvalid(problems: readonly LocatedProblem[]): AppError {
  const { message, problems: shown } = configInvalid(problems);
  return new AppError('cases_invalid', { detail: message, problems: shown });
}
