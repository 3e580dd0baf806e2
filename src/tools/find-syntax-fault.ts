import { open } from 'node:fs/promises';
import { type Ran, runNode } from './run-node.ts';

/** Where a file of functions cannot be parsed, and why. */
export interface SyntaxFault {
  /** Absent where the file cannot even be read. */
  line?: number;
  /** Absent where the file ends too early. */
  column?: number;
  message: string;
}

const STRIP = `process.stdout.write(require('node:module').stripTypeScriptTypes(require('node:fs').readFileSync(process.argv[1], 'utf8')))`;
/** How Node tells it: the place (not one of its own files), the code with a mark below it, the words. */
const TOLD = /^(?!node:).*:(\d+)\n([\s\S]*?)^\w*Error(?: \[(\w+)\])?: (.*)$/m;

/** Whether it can be read and parsed. Runs none of the file's code, and parses it in a process of its own: it costs this one next to nothing. */
export async function findSyntaxFault(path: string, signal?: AbortSignal): Promise<SyntaxFault | undefined> {
  const canBeRead = await open(path).then((file) => file.close().then(() => true), isTooMany);
  if (!canBeRead) return { message: 'it cannot be read' };
  const kind = /\.([cm]?)ts$/.exec(path);
  if (!kind) return toFault(await runNode(['--check', path], { signal }));
  const stripped = await runNode(['--no-warnings', '-e', STRIP, path], { signal });
  if (!stripped.isGood) return toFault(stripped);
  const type = kind[1] === 'c' ? 'commonjs' : 'module';
  return toFault(await runNode(['--check', `--input-type=${type}`, '-'], { signal, input: stripped.output }));
}

/** Then nothing is known of the file. */
function isTooMany({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EMFILE' || code === 'ENFILE';
}

/** A process that could not run, or was stopped, says nothing about the file. */
function toFault({ isGood, errors }: Ran): SyntaxFault | undefined {
  const told = isGood ? null : TOLD.exec(errors);
  if (!told) return undefined;
  const [, line, code = '', kind, words = ''] = told;
  const mark = /^([ \t]*)\^+$/m.exec(code)?.[1];
  const hint =
    kind === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? '; types are only taken out, so write it in JavaScript' : '';
  return { line: Number(line), ...(mark !== undefined && { column: mark.length + 1 }), message: `${words}${hint}` };
}

/** `file:line:column`. */
export function formatPlace(file: string, { line, column }: SyntaxFault): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
