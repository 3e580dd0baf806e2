import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** Where and why a file of functions cannot be parsed. */
export interface SyntaxFault {
  /** Absent if the file cannot even be read. */
  line?: number;
  /** Absent if the file ends too early. */
  column?: number;
  message: string;
}

const STRIP = `process.stdout.write(require('node:module').stripTypeScriptTypes(require('node:fs').readFileSync(process.argv[1], 'utf8')))`;
/** Node's report: the place (not one of its own files), the code with a mark below it, the message. */
const NODE_REPORT = /^(?!node:).*:(\d+)\n([\s\S]*?)^\w*Error(?: \[(\w+)\])?: (.*)$/m;

/**
 * Checks that a file can be read and parsed. Runs none of the file's code, and parses in a separate process that costs
 * this one almost nothing.
 */
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

/** Out of file descriptors: nothing is known about the file. */
function isTooMany({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EMFILE' || code === 'ENFILE';
}

/** A process that could not run or was stopped gives no information about the file. */
function toFault({ isGood, errors }: Ran): SyntaxFault | undefined {
  const report = isGood ? null : NODE_REPORT.exec(errors);
  if (!report) return undefined;
  const [, line, code = '', kind, words = ''] = report;
  const mark = /^([ \t]*)\^+$/m.exec(code)?.[1];
  const hint =
    kind === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? '; types are only removed, so write it in JavaScript' : '';
  return { line: Number(line), ...(mark !== undefined && { column: mark.length + 1 }), message: `${words}${hint}` };
}

/** `file:line:column`. */
export function formatPlace(file: string, { line, column }: SyntaxFault): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/**
 * Returns the reason if a file lacks this export. Node links a module with all its imports before it runs any of them,
 * and the first import here ends the process. So none of the author's code runs.
 */
export async function findLinkFault(
  { path, exportName }: { path: string; exportName: string },
  signal?: AbortSignal,
): Promise<string | undefined> {
  const stop = `import 'data:text/javascript,process.exit(0)';`;
  const url = pathToFileURL(path).href;
  const wanted = `import { ${JSON.stringify(exportName)} as wanted } from ${JSON.stringify(url)};`;
  const { isGood, errors } = await runNode(['--no-warnings', '--input-type=module', '-e', stop + wanted], { signal });
  if (isGood) return undefined;
  const message = /^\w*Error(?: \[\w+\])?: (.*)$/m.exec(errors)?.[1];
  if (message?.includes(`'${url}' does not provide an export`)) return `it has no export named ${exportName}`;
  return message;
}

export interface Ran {
  isGood: boolean;
  output: string;
  errors: string;
}

/** Runs Node to its end. A process that cannot start counts as failed and has no output. */
export async function runNode(
  args: string[],
  options: { signal: AbortSignal | undefined; input?: string },
): Promise<Ran> {
  const { signal, input = '' } = options;
  const child: ChildProcess = spawn(process.execPath, args, { stdio: 'pipe', ...(signal && { signal }) });
  const ended = new Promise<boolean>((resolve) => {
    child.on('close', (code) => resolve(code === 0)).on('error', () => resolve(false));
  });
  // Without free file descriptors neither the process nor its pipes exist.
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) return { isGood: false, output: '', errors: '' };
  // A child that ends before it has read everything reports the reason on stderr.
  stdin.on('error', () => {}).end(input);
  const [output, errors, isGood] = await Promise.all([readAll(stdout), readAll(stderr), ended]);
  return { isGood, output, errors };
}

function readAll(stream: Readable): Promise<string> {
  return text(stream).catch(() => '');
}
