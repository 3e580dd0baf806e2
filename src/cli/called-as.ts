import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, join, relative } from 'node:path';
import { shellWord } from '../private-folder.ts';

/** How this program was started: its path, the npm script that started it, and the Node that runs it. */
export interface Caller {
  program: string | undefined;
  script: string | undefined;
  node: string;
  /** The `node` on PATH is a different one, which may be too old. */
  isOtherOnPath?: boolean;
}

/** A command of this program as a person can type it here. */
export function commandText(parts: readonly string[], caller: Caller = thisCaller()): string {
  return [...programParts(caller), ...parts].map(shellWord).join(' ');
}

/** A command of this program that works in any folder; npm scripts and npx work inside a checkout only. */
export function portableText(parts: readonly string[], caller: Caller = thisCaller()): string {
  const { program = '', script } = caller;
  const isCheckout = /\.[cm]?[jt]s$/.test(basename(program));
  if (!isCheckout || !script) return commandText(parts, caller);
  return [caller.node, program, ...parts].map(shellWord).join(' ');
}

/** Other rooms name this program `holodeck`; a person can type that only where it is installed. */
export function asTyped(text: string, caller: Caller = thisCaller()): string {
  return text.replace(/\bholodeck (use|init|db)\b/g, `${commandText([], caller)} $1`);
}

/** Writes the command of this process in place of the advice to give it a data folder, which it was not given yet. */
export function withDataFolder(text: string, given = process.argv.slice(2), caller: Caller = thisCaller()): string {
  if (given.some((part) => part.startsWith('--data'))) return text;
  return text.replace('another folder with --data', `another folder: ${commandText(given, caller)} --data <folder>`);
}

/** The command that asks an agent once. Its file is written as it is seen from the working directory. */
export function askOnceText(file: string, caller: Caller = thisCaller()): string {
  const near = relative('', file);
  return `${commandText(['run', /^(\.\.|$)/.test(near) ? file : near], caller)} "…"`;
}

function thisCaller(): Caller {
  const node = process.execPath;
  return { program: process.argv[1], script: process.env.npm_lifecycle_event, node, isOtherOnPath: !isOnPath(node) };
}

function isOnPath(node: string): boolean {
  const first = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, basename(node)))
    .find((file) => existsSync(file));
  return first !== undefined && realpathSync(first) === realpathSync(node);
}

/** The program as it was started, because the bare name works only if it is installed. */
function programParts({ program = '', script, node, isOtherOnPath }: Caller): string[] {
  if (script === 'start') return ['npm', 'start', '--'];
  // npx may use another Node than the installed one.
  if (/\.[cm]?[jt]s$/.test(basename(program))) {
    return script === 'npx' ? ['npx', 'node', program] : [isOtherOnPath ? node : 'node', program];
  }
  return script === 'npx' ? ['npx', 'holodeck'] : ['holodeck'];
}

export interface Started {
  file: string | undefined;
  data: string | undefined;
  model: string | undefined;
}

/** The command that starts a chat like this one; the conversation id is appended. */
export function resumeParts({ file, data, model }: Started): string[] {
  return ['chat', ...(file ? [file] : []), ...optionParts({ model, data }), '--resume'];
}

/** The command that opens the web page with the agent and the data of this chat. */
export function pageParts({ file, data }: Omit<Started, 'model'>): string[] {
  return ['serve', ...(file ? [file] : []), ...optionParts({ data }), '--open'];
}

/** Options as they were given: names in kebab-case, switches alone, several values after their name. */
export function optionParts(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [name] : [name, ...[value].flat().map(String)];
  });
}

const KILLED = 130;

/** Resolves on the first SIGINT or SIGTERM, which requests an orderly end; the second exits at once. */
export function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  const stop = () => {
    if (asked) process.exit(KILLED);
    asked = true;
    resolve();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return promise;
}
