import { z } from 'zod';
import { didYouMean, findNear } from './did-you-mean.ts';
import { getIn } from './layers.ts';
import type { Finding, Path } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** Checks a value and says what is wrong in our words. `path` is where the value stands. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, path: Path): { data?: T; findings: Finding[] } {
  const parsed = schema.safeParse(value, { error: rememberKeys });
  if (parsed.success) return { data: parsed.data, findings: [] };
  return {
    findings: parsed.error.issues
      .flatMap((issue) => describeIssue(issue, value))
      .map((finding) => ({ ...finding, path: [...path, ...finding.path] })),
  };
}

/** The message of an unknown key carries the known ones, so that the near one can be named. */
function rememberKeys(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? Object.keys(issue.inst.shape).join(' ')
    : undefined;
}

function describeIssue(issue: Issue, root: unknown): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const value = getIn(root, path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, issue.message));
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? 'is not valid', onKey: true }];
  if (issue.code === 'invalid_union' && !issue.discriminator) return describeUnion(issue.errors, value, path);
  return [{ path, message: describeValue(issue, value), isMissing: value === undefined }];
}

function unknownKey(path: Path, key: string, knownKeys: string): Finding {
  return describeUnknownKey([...path, key], knownKeys.split(' '));
}

export function describeUnknownKey(path: Path, known: readonly string[]): Finding {
  const near = findNear(String(path.at(-1)), known);
  if (near === undefined) return { path, message: `unknown key; known here: ${known.join(', ')}`, onKey: true };
  return { path, message: `unknown key, did you mean ${near}?`, onKey: true, near };
}

function describeValue(issue: Issue, value: unknown): string {
  if (value === undefined) return `is missing; ${describeExpected(issue)}`;
  if (value === null) return `is empty; give it a value or remove the line`;
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, value);
    case 'invalid_value':
      return `must be ${listOptions(issue.values)}${typeof value === 'string' ? didYouMean(value, issue.values.map(String)) : ''}`;
    case 'invalid_union':
      return `must be ${listOptions(optionsOf(issue))}${typeof value === 'string' ? didYouMean(value, optionsOf(issue)) : ''}`;
    case 'too_small':
      return describeLimit(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return describeLimit(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    default:
      return issue.message;
  }
}

function describeExpected(issue: Issue): string {
  if (issue.code === 'invalid_value') return `give ${listOptions(issue.values)}`;
  if (issue.code === 'invalid_union') return `give ${listOptions(optionsOf(issue))}`;
  return issue.code === 'invalid_type' ? `give ${nameType(issue.expected)}` : 'add it';
}

function describeLimit(origin: string, limit: number | bigint, relation: string): string {
  if (origin === 'string' && relation === 'at least' && Number(limit) === 1) return 'must not be empty';
  if (origin === 'string') return `must have ${relation} ${limit} characters`;
  if (origin === 'array') return `must have ${relation} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  return `must be ${relation} ${limit}`;
}

/** Of several allowed shapes, speaks of the one that the writer most likely meant: the one that knows most of the keys. */
function describeUnion(branches: readonly Issue[][], value: unknown, path: Path): Finding[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => isOtherType(issue)));
  const best = fitting.toSorted((a, b) => countUnknown(a) - countUnknown(b) || a.length - b.length)[0];
  if (best) {
    const findings = best.flatMap((issue) => describeIssue(issue, value));
    return findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
  }
  const types = branches.flat().flatMap((issue) => (isOtherType(issue) ? [nameType(issue.expected)] : []));
  const expected = listOptions([...new Set(types)]);
  if (value === undefined || value === null)
    return [{ path, message: `is missing; give ${expected}`, isMissing: true }];
  return [{ path, message: `must be ${expected}, got ${nameValue(value)}` }];
}

function isOtherType(issue: Issue): issue is z.core.$ZodIssueInvalidType {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function countUnknown(issues: readonly Issue[]): number {
  return issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function listOptions(options: readonly unknown[]): string {
  const words = options.map(String);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a map',
  record: 'a map',
  array: 'a list',
};

function describeType(expected: string, value: unknown): string {
  if (expected === 'int' && typeof value === 'number') return 'must be a whole number';
  return `must be ${nameType(expected)}, got ${nameValue(value)}`;
}

function nameType(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function nameValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  const names: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    object: 'a map',
  };
  return typeof value === 'boolean' ? String(value) : (names[typeof value] ?? 'nothing');
}
