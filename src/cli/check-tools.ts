import { relative } from 'node:path';
import type { Agent, FunctionTool } from '../schema/agent.ts';
import { findLinkFault } from '../tools/functions/find-link-fault.ts';
import { findSyntaxFault, formatPlace } from '../tools/functions/find-syntax-fault.ts';
import { createValidator } from '../tools/validate.ts';

const ADVICE = 'The tool cannot be called until this is corrected';

/** Finds faults in the code of an agent's function tools without running it. */
export async function findToolProblems(agent: Agent, signal?: AbortSignal): Promise<string[]> {
  const functions = agent.tools.filter((tool): tool is FunctionTool => tool.type === 'function');
  const problems: string[] = [];
  for (const [file, tools] of Map.groupBy(functions, (tool) => tool.file)) {
    const fault = await findSyntaxFault(file, signal);
    const names = tools.map(({ name }) => `tools.${name}`).join(', ');
    if (fault)
      problems.push(`${formatPlace(relative(agent.folder, file), fault)} ${names}: ${fault.message}. ${ADVICE}`);
    else problems.push(...(await findMissingExports(agent, tools, signal)));
  }
  return [...problems, ...functions.flatMap(schemaProblem)];
}

async function findMissingExports(agent: Agent, tools: FunctionTool[], signal?: AbortSignal): Promise<string[]> {
  const faults = tools.map(async ({ name, file, function: exportName }) => {
    const fault = await findLinkFault({ path: file, exportName }, signal);
    return fault === undefined ? [] : [`${relative(agent.folder, file)} tools.${name}: ${fault}. ${ADVICE}`];
  });
  return (await Promise.all(faults)).flat();
}

function schemaProblem({ name, parameters }: FunctionTool): string[] {
  const unusable = createValidator()
    .check(parameters, {})
    .find((problem) => problem.message.includes('schema is unusable'));
  return unusable ? [`tools.${name}.parameters: ${unusable.message}`] : [];
}
