import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import * as z from 'zod';
import { serverEnvironment } from '../mcp/client/environment.ts';
import type { Agent } from '../schema/agent.ts';
import { StringMap, Text } from '../schema/scalars.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { CONTROL, checkEnvironment, findUserTexts, hasControl } from './check-entry.ts';
import { defineKind } from './kind.ts';
import { checkUserTexts, openRemote } from './remote.ts';
import { checkLists, serverKeys } from './server-entry.ts';

export const StdioEntry = z.strictObject({
  ...serverKeys,
  transport: z.literal('stdio'),
  command: Text,
  args: z.array(z.string()).default([]),
  env: StringMap.default({}),
});
export type StdioEntry = z.infer<typeof StdioEntry>;

/** A program that speaks MCP over its standard input and output. */
export const stdioKind = defineKind(StdioEntry, {
  describeStart: ({ name, command }) => `starting ${name}: ${command}`,
  check: (entry, path) => [
    ...checkCommand(entry, path),
    ...checkArguments(entry.args, path),
    ...checkEnvironment(entry.env, path),
    ...checkUserTexts(
      { filled: findUserTexts('env', entry.env), other: entry.args.map((text, at) => ({ path: ['args', at], text })) },
      path,
    ),
    ...checkLists(entry, path),
  ],
  complete: (entry) =>
    findUserTexts('env', entry.env).length > 0 ? { ...entry, connection: 'per_user' as const } : entry,
  names: async ({ allow }) => allow,
  async inspect(entries, agent) {
    const findings = await Promise.all(entries.map((entry) => findMissingCommand(entry, agent)));
    return { problems: [], warnings: [], findings: findings.flat() };
  },
  open: (entries, options) => entries.map((entry) => openRemote(entry, options)),
});

const SHELL_SYNTAX = /[|&;<>`$*"'\n]|^~/;
/** A program's path may contain spaces; a dash after a space begins an argument. */
const ARGUMENT_INSIDE = /^[^\s/\\]+\s|\s-/;

function checkCommand({ command }: StdioEntry, path: Path): Finding[] {
  const at = [...path, 'command'];
  if (hasControl(command)) return [{ path: at, message: CONTROL }];
  if (SHELL_SYNTAX.test(command))
    return [
      {
        path: at,
        message: 'contains shell syntax, but no shell runs it; name one program, or a script that does this',
      },
    ];
  if (ARGUMENT_INSIDE.test(command)) return [{ path: at, message: 'is one program; put its arguments into args' }];
  return [];
}

const OPERATORS: readonly string[] = ['|', '||', '&', '&&', ';', '<', '>', '>>', '2>', '2>&1'];

function checkArguments(args: readonly string[], path: Path): Finding[] {
  return args.flatMap((text, index) => {
    const at = [...path, 'args', index];
    if (hasControl(text)) return [{ path: at, message: CONTROL }];
    return OPERATORS.includes(text) ? [{ path: at, message: 'is shell syntax, but no shell runs it; remove it' }] : [];
  });
}

/** Other systems search for programs by other rules. */
async function findMissingCommand({ name, command, env }: StdioEntry, { folder, tools }: Agent): Promise<Finding[]> {
  if (process.platform === 'win32') return [];
  const path = ['tools', tools.findIndex((tool) => tool.name === name), 'command'];
  if (command.includes('/')) {
    const isThere = await isProgram(resolve(folder, command));
    return isThere ? [] : [{ path, message: "there is no such program relative to the agent's folder" }];
  }
  const folders = (serverEnvironment(env).PATH ?? '').split(delimiter);
  const hits = await Promise.all(folders.map((place) => isProgram(resolve(folder, place, command))));
  return hits.includes(true)
    ? []
    : [{ path, message: 'no folder of PATH has this program; install it or correct the name' }];
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
