import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import type { Agent, FunctionTool } from '../schema/agent.ts';
import { createValidator } from '../tools/validate.ts';

/** What is wrong with an agent's function tools beyond the file itself: found without running any of their code. */
export function findToolProblems(agent: Agent): string[] {
  const functions = agent.tools.filter((tool): tool is FunctionTool => tool.type === 'function');
  return functions.flatMap((tool) => [...syntaxProblem(tool, agent.folder), ...schemaProblem(tool)]);
}

function syntaxProblem({ name, file }: FunctionTool, folder: string): string[] {
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  if (status === 0) return [];
  const reason = /^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? 'it cannot be read';
  const line = /:(\d+)\s*$/m.exec(stderr)?.[1];
  return [`${relative(folder, file)}${line ? `:${line}` : ''} tools.${name}: ${reason}`];
}

function schemaProblem({ name, parameters }: FunctionTool): string[] {
  const unusable = createValidator()
    .check(parameters, {})
    .find((problem) => problem.message.includes('schema'));
  return unusable ? [`tools.${name}.parameters: ${unusable.message}`] : [];
}
