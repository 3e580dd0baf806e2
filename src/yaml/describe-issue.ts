import * as z from 'zod';
import { didYouMean, findNear } from './did-you-mean.ts';
import { getIn } from './locate.ts';
import type { Finding, Path } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** Names of value kinds in the language of the document. */
export interface Words {
  map: string;
  isNull: string;
}

const YAML_WORDS: Words = { map: 'a map', isNull: 'is empty; give it a value or remove the line' };
export const JSON_WORDS: Words = { map: 'an object', isNull: 'must not be null; give it a value or leave it out' };

export interface CheckOptions {
  /** The path of the value. */
  path?: Path;
  words?: Words;
  /** The maximum number of findings; unlimited by default. */
  maxFindings?: number;
}

/** Checks a value and describes its faults in our words. */
export function checkValue<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { path = [], words = YAML_WORDS, maxFindings = Number.POSITIVE_INFINITY }: CheckOptions = {},
): { data?: T; findings: Finding[] } {
  // Most values are checked once, or are small: code made for their schema would cost more than it saves.
  const parsed = schema.safeParse(value, { error: leaveToUs, jitless: true });
  if (parsed.success) return { data: parsed.data, findings: [] };
  const scene = { root: value, words, maxFindings };
  const findings = parsed.error.issues.slice(0, maxFindings).flatMap((issue) => describeIssue(issue, scene));
  return { findings: findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] })) };
}

interface Scene {
  root: unknown;
  words: Words;
  maxFindings: number;
}

const OUR_CODES = ['invalid_type', 'invalid_value', 'too_small', 'too_big'];

/**
 * Returns an empty message where we write our own; a schema's own message stays. The message of an unknown key lists
 * the known keys, so that the nearest one can be suggested.
 */
function leaveToUs(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
    return Object.keys(issue.inst.shape).join(' ');
  }
  const isBase64 = issue.code === 'invalid_format' && issue.format === 'base64';
  return isBase64 || OUR_CODES.includes(String(issue.code)) ? '' : undefined;
}

function describeIssue(issue: Issue, scene: Scene): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const value = getIn(scene.root, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, scene.maxFindings).map((key) => unknownKey(path, key, issue.message));
  }
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? 'is not valid', onKey: true }];
  if (issue.code === 'invalid_union' && !issue.discriminator) {
    return describeUnion(issue.errors, { ...scene, root: value }).map((finding) => ({
      ...finding,
      path: [...path, ...finding.path],
    }));
  }
  const message = describeValue(issue, value, scene.words);
  return [{ path, message, isMissing: value === undefined, ...findWanted(issue, value) }];
}

function findWanted(issue: Issue, value: unknown): Pick<Finding, 'wanted'> {
  if (issue.code !== 'invalid_type' || typeof value !== 'string') return {};
  if (issue.expected === 'boolean') return { wanted: 'boolean' };
  return ['number', 'int'].includes(issue.expected) ? { wanted: 'number' } : {};
}

function unknownKey(path: Path, key: string, knownKeys: string): Finding {
  return describeUnknownKey([...path, key], knownKeys.split(' '));
}

export function describeUnknownKey(path: Path, known: readonly string[]): Finding {
  const near = findNear(String(path.at(-1)), known);
  if (near === undefined) return { path, message: `unknown key; known here: ${known.join(', ')}`, onKey: true };
  return { path, message: `unknown key, did you mean ${near}?`, onKey: true, near };
}

function describeValue(issue: Issue, value: unknown, words: Words): string {
  if (value === undefined)
    return `is missing; ${(issue.code === 'invalid_type' && issue.message) || describeExpected(issue, words)}`;
  if (value === null) return words.isNull;
  if (issue.message !== '' && issue.code !== 'invalid_union') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, value, words);
    case 'invalid_format':
      return 'must be base64';
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

function describeExpected(issue: Issue, words: Words): string {
  if (issue.code === 'invalid_value') return `give ${listOptions(issue.values)}`;
  if (issue.code === 'invalid_union') return `give ${listOptions(optionsOf(issue))}`;
  return issue.code === 'invalid_type' ? `give ${nameType(issue.expected, words)}` : 'add it';
}

function describeLimit(origin: string, limit: number | bigint, relation: string): string {
  if (origin === 'string' && relation === 'at least' && Number(limit) === 1) return 'must not be empty';
  if (origin === 'string') return `must have ${relation} ${limit} characters`;
  if (origin === 'array') return `must have ${relation} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  return `must be ${relation} ${limit}`;
}

/** Of several allowed shapes, describes the most likely one: the shape that knows most of the keys. */
function describeUnion(branches: readonly Issue[][], scene: Scene): Finding[] {
  const { root: value, words } = scene;
  const fitting = branches.filter((issues) => !issues.some((issue) => isOtherType(issue)));
  const best = fitting.toSorted((a, b) => countUnknown(a) - countUnknown(b) || a.length - b.length)[0];
  if (best) return best.flatMap((issue) => describeIssue(issue, scene));
  const types = branches.flat().flatMap((issue) => (isOtherType(issue) ? [nameType(issue.expected, words)] : []));
  const expected = listOptions([...new Set(types)]);
  if (value === undefined || value === null)
    return [{ path: [], message: `is missing; give ${expected}`, isMissing: true }];
  return [{ path: [], message: `must be ${expected}, got ${nameValue(value, words)}` }];
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
  array: 'a list',
};

function describeType(expected: string, value: unknown, words: Words): string {
  if (expected === 'int' && typeof value === 'number') return 'must be a whole number';
  return `must be ${nameType(expected, words)}, got ${nameValue(value, words)}`;
}

function nameType(type: string, { map }: Words): string {
  return type === 'object' || type === 'record' ? map : (TYPE_NAMES[type] ?? type);
}

function nameValue(value: unknown, { map }: Words): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  const names: Record<string, string> = { string: 'a string', number: 'a number', object: map };
  return names[typeof value] ?? 'nothing';
}
