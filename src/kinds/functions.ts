import { relative } from 'node:path';
import * as z from 'zod';
import { type Agent, Bind } from '../schema/agent.ts';
import { JsonObject } from '../schema/json.ts';
import { Name, StringMap, Text } from '../schema/scalars.ts';
import { checkEnvironment, findUserTexts } from './check-entry.ts';
import { defineKind } from './kind.ts';

const FunctionEntry = z.strictObject({
  name: Name,
  type: z.literal('function'),
  file: Text,
  function: Text.default('default'),
  description: Text,
  parameters: JsonObject.refine((schema) => schema.type === 'object', {
    path: ['type'],
    error: 'the parameters of a function must have type: object',
  }).default({ type: 'object', properties: {} }),
  env: StringMap.default({}),
  bind: Bind,
  approve: z.boolean().default(false),
  idempotent: z.boolean().default(false),
});
type FunctionEntry = z.infer<typeof FunctionEntry>;

/** Functions of all users share a thread; each call brings its user. */
const NO_USER = '$user.* is not filled here: a function gets the user with each call, as context.user';

/** Functions of the agent's own files. All of them are one source. */
export const functionsKind = defineKind(FunctionEntry, {
  check: ({ env }, path) => [
    ...checkEnvironment(env, path),
    ...findUserTexts('env', env).map(({ path: at }) => ({ path: [...path, ...at], message: NO_USER })),
  ],
  names: async ({ name }) => [name],
  async inspect(entries, agent, { signal }) {
    return { problems: await findProblems(entries, agent, signal), warnings: [], findings: [] };
  },
  open: (entries, { agent, log, report }) => {
    const { name, folder } = agent;
    const toLog = log && { log: (text: string) => log(text, { agent: name }) };
    const open = async () => {
      const { createFunctionSource } = await import('../tools/functions/function-tools.ts');
      return { source: createFunctionSource({ name, folder, tools: entries, ...toLog, ...(report && { report }) }) };
    };
    return [open()];
  },
});

const ADVICE = 'The tool cannot be called until this is corrected';

/** Finds faults in the code without running it. */
async function findProblems(entries: readonly FunctionEntry[], agent: Agent, signal?: AbortSignal): Promise<string[]> {
  const { findSyntaxFault, formatPlace } = await import('../tools/functions/find-fault.ts');
  const problems: string[] = [];
  for (const [file, tools] of Map.groupBy(entries, (entry) => entry.file)) {
    const fault = await findSyntaxFault(file, signal);
    const names = tools.map(({ name }) => `tools.${name}`).join(', ');
    if (fault)
      problems.push(`${formatPlace(relative(agent.folder, file), fault)} ${names}: ${fault.message}. ${ADVICE}`);
    else problems.push(...(await findMissingExports(agent, tools, signal)));
  }
  return [...problems, ...(await findSchemaProblems(entries))];
}

async function findMissingExports(
  agent: Agent,
  entries: readonly FunctionEntry[],
  signal?: AbortSignal,
): Promise<string[]> {
  const { findLinkFault } = await import('../tools/functions/find-fault.ts');
  const faults = entries.map(async ({ name, file, function: exportName }) => {
    const fault = await findLinkFault({ path: file, exportName }, signal);
    return fault === undefined ? [] : [`${relative(agent.folder, file)} tools.${name}: ${fault}. ${ADVICE}`];
  });
  return (await Promise.all(faults)).flat();
}

async function findSchemaProblems(entries: readonly FunctionEntry[]): Promise<string[]> {
  const { createValidator } = await import('../tools/validate.ts');
  return entries.flatMap(({ name, parameters }) => {
    const unusable = createValidator()
      .check(parameters, {})
      .find((problem) => problem.message.includes('schema is unusable'));
    return unusable ? [`tools.${name}.parameters: ${unusable.message}`] : [];
  });
}
