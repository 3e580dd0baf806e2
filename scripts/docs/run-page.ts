import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMAND } from '../../test/command.ts';
import { isMatch, type Step, stepsOf } from './console.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface PageOptions {
  /** The folder of the reader, made by `preparePage`. */
  folder: string;
  /** The folder inside it in which the page begins. */
  startIn?: string;
  /** Texts of the page that stand for others while it runs, such as a port and the address of a model. */
  replace?: Readonly<Record<string, string>>;
}

/** A command of a page with its output. */
export interface Ran {
  command: string;
  expected: string;
  output: string;
  isMatch: boolean;
}

/** Makes a folder in which `holodeck` and the packages that a page names are found, as after an installation. */
export function preparePage(folder: string): void {
  mkdirSync(join(folder, '.bin'), { recursive: true });
  const command = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  writeFileSync(join(folder, '.bin/holodeck'), command, { mode: 0o755 });
  symlinkSync(process.execPath, join(folder, '.bin/node'));
  const npx = `#!/bin/sh\ncase "$1" in holodeck|node) exec "$@";; esac\nPATH="\${PATH#*:}" exec npx "$@"\n`;
  writeFileSync(join(folder, '.bin/npx'), npx, { mode: 0o755 });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** Writes the files and runs the commands of a page in one shell, as a reader would. Servers end with the page. */
export async function runPage(page: string, { folder, startIn = '.', replace = {} }: PageOptions): Promise<Ran[]> {
  const toReal = (text: string) => Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const toShown = (text: string) => Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(to, from), text);
  const shell = openShell(folder, startIn);
  const servers: ChildProcess[] = [];
  const ran: Ran[] = [];
  try {
    for (const step of stepsOf(readFileSync(join(ROOT, page), 'utf8'))) {
      if (step.kind === 'file') {
        const path = join(await shell.where(), step.name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, toReal(step.text));
        continue;
      }
      const output = toShown(await runStep(step, { shell, servers, toReal, folder }));
      ran.push({ ...step, output, isMatch: isMatch(step.expected, output) });
    }
    return ran;
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    shell.close();
  }
}

type CommandStep = Extract<Step, { kind: 'command' }>;
interface Deps {
  shell: Shell;
  servers: ChildProcess[];
  toReal: (text: string) => string;
  folder: string;
}

async function runStep({ command, expected, isServer }: CommandStep, deps: Deps): Promise<string> {
  const { shell, servers, toReal, folder } = deps;
  if (!isServer) return await shell.run(toReal(command));
  const server = spawn('bash', ['-c', `exec ${toReal(command)}`], {
    cwd: await shell.where(),
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  servers.push(server);
  let output = '';
  server.stdout.on('data', (piece) => {
    output += piece;
  });
  const lines = expected.split('\n').length;
  while (output.split('\n').length <= lines && server.exitCode === null) await once(server.stdout, 'data');
  return output;
}

interface Shell {
  run(command: string): Promise<string>;
  where(): Promise<string>;
  close(): void;
}

/** Opens a shell for a page: a folder, a variable or an alias of a command holds for the next. */
function openShell(folder: string, startIn: string): Shell {
  const child = spawn('bash', ['--norc', '--noprofile'], { cwd: join(folder, startIn), env: environment(folder) });
  child.stdin.write('exec 2>&1\nshopt -s expand_aliases\n');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    output += piece;
  });
  const run = async (command: string) => {
    output = '';
    child.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n\\001'\n`);
    while (!output.endsWith('\n\u0001')) await once(child.stdout, 'data');
    return output.slice(0, -2);
  };
  return { run, where: async () => (await run('pwd')).trim(), close: () => child.kill('SIGKILL') };
}

/** The environment of a reader without keys; their data and settings stay in the folder. */
function environment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(folder, '.bin')}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}
