import { AppError, type Problem } from '../errors.ts';

export type Path = readonly (string | number)[];

/** A problem at a path of the merged configuration, before its file is known. */
export interface Finding {
  path: Path;
  message: string;
  /** True if the key itself is the fault, not its value. */
  onKey?: boolean;
  /** The key that an unknown one was probably meant to be. */
  near?: string;
  isMissing?: boolean;
  /** The type that is required where a text was found. */
  wanted?: 'number' | 'boolean';
}

/** A problem with its file. Line and column are absent for settings from the command line. */
export interface LocatedProblem extends Problem {
  file: string;
  line?: number;
  column?: number;
}

const MAX_PROBLEMS = 200;

/** `file:line:column path: what is wrong, what to do`. */
export function formatProblem({ file, line, column, path, message }: LocatedProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return path === '' ? `${place}: ${message}` : `${place} ${path}: ${message}`;
}

export function formatPath(path: Path): string {
  return path.map((step, index) => formatStep(step, index === 0)).join('');
}

/** Builds an error with all problems, in the order of the file. */
export function configInvalid(problems: readonly LocatedProblem[]): AppError {
  const shown = problems.toSorted(byPlace).slice(0, MAX_PROBLEMS);
  const lines = shown.map(formatProblem);
  if (problems.length > MAX_PROBLEMS) lines.push(`and ${problems.length - MAX_PROBLEMS} more`);
  return new AppError('config_invalid', { detail: lines.join('\n'), problems: shown });
}

function formatStep(step: string | number, isFirst: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  const text = /^[\w$-]{1,80}$/.test(step) ? step : quote(step);
  return isFirst ? text : `.${text}`;
}

/** A key can contain anything; no part of it may control the terminal. */
function quote(key: string): string {
  const short = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  const toCode = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(short).replace(/\p{C}|\p{Zl}|\p{Zp}/gu, toCode);
}

function byPlace(a: LocatedProblem, b: LocatedProblem): number {
  if (a.file !== b.file) return 0;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
