import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
import type { Agent, FunctionTool } from '../schema/agent.ts';
import { createValidator } from '../tools/validate.ts';

/** What is wrong with an agent's function tools beyond the file itself: found without running any of their code. */
export function findToolProblems(agent: Agent): string[] {
  const functions = agent.tools.filter((tool): tool is FunctionTool => tool.type === 'function');
  return functions.flatMap((tool) => {
    const fault = /\.[cm]?ts$/.test(tool.file) ? typeScriptFault(tool.file) : javaScriptFault(tool.file);
    const syntax = fault ? [`${relative(agent.folder, tool.file)} tools.${tool.name}: ${fault}`] : [];
    return [...syntax, ...schemaProblem(tool)];
  });
}

function typeScriptFault(file: string): string | undefined {
  try {
    stripTypeScriptTypes(readFileSync(file, 'utf8'));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim().split('\n')[0] : 'it cannot be read';
  }
}

function javaScriptFault(file: string): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return /^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? 'it cannot be read';
}

function schemaProblem({ name, parameters }: FunctionTool): string[] {
  const unusable = createValidator()
    .check(parameters, {})
    .find((problem) => problem.message.includes('schema is unusable'));
  return unusable ? [`tools.${name}.parameters: ${unusable.message}`] : [];
}
