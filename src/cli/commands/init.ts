import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { agentJsonSchema } from '../../config/json-schema.ts';
import { AppError } from '../../errors.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText, portableText } from '../called-as.ts';
import { initFiles, modelLines } from '../init-files.ts';
import { readModel } from '../model-flag.ts';

export interface InitOptions {
  name?: string;
  interactive?: boolean;
}

const INTERRUPTED = 130;
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** `holodeck init`: writes a small agent that runs at once. Never overwrites a file. */
export async function runInit(given: string | undefined, options: InitOptions): Promise<void> {
  const folder = resolve(given ?? '.');
  const name = options.name ?? nameOf(folder);
  const chosen = options.interactive ? await ask(name) : { name, model: 'builtin' };
  if (!NAME.test(chosen.name)) {
    throw new AppError('usage', {
      detail: `"${chosen.name}" is not a valid name. Use letters, digits, - and _, starting with a letter, at most 64 characters.`,
    });
  }
  const { provider, name: modelName } = readModel(chosen.model);
  const files = {
    ...initFiles({ name: chosen.name, model: modelLines(provider, modelName) }),
    'agent.schema.json': `${JSON.stringify(agentJsonSchema(), null, 2)}\n`,
  };
  write(folder, files, given);
  const file = join(folder, 'agent.yaml');
  const next = `  ${portableText(['chat', file])}\n  ${portableText(['check', file])}   after every change\n`;
  process.stdout.write(sanitizeText(`wrote ${Object.keys(files).join(', ')}\n${next}`));
}

/** Writes all files or none: an existing file aborts before the first write. */
function write(folder: string, files: Record<string, string>, given = 'my-agent'): void {
  const there = Object.keys(files).filter((name) => name !== '.gitignore' && existsSync(join(folder, name)));
  if (there.length > 0) {
    throw new AppError('usage', {
      detail: `${there.join(', ')} already ${there.length === 1 ? 'exists' : 'exist'}, and nothing is overwritten. Choose another folder: ${commandText(['init', freeFolder(given)])}`,
    });
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), text, { flag: 'wx' });
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new AppError('usage', {
      detail: `${folder} cannot be written to${code}. Choose another folder.`,
      cause,
    });
  }
}

/** The wanted name, or that name with the first number that no file or folder has. */
function freeFolder(wanted: string): string {
  const base = resolve(wanted) === process.cwd() ? 'my-agent' : wanted.replace(/[/\\]+$/, '');
  let name = base;
  for (let number = 2; existsSync(name); number++) name = `${base}-${number}`;
  return name;
}

function nameOf(folder: string): string {
  const name = basename(folder)
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .replace(/^[^a-zA-Z]+/, '');
  return name.slice(0, 64) || 'my-agent';
}

/** An empty line or the end of the input selects the value in brackets. */
async function ask(name: string): Promise<{ name: string; model: string }> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', () => process.exit(INTERRUPTED));
  const iterator = lines[Symbol.asyncIterator]();
  const question = async (text: string, usual: string) => {
    process.stdout.write(`${text} [${usual}] `);
    const { value } = await iterator.next();
    return value?.trim() || usual;
  };
  try {
    return { name: await question('name', name), model: await question('model, as provider/name', 'builtin') };
  } finally {
    lines.close();
  }
}
