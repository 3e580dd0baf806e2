import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Spot } from './locate.ts';
import type { Path } from './problem.ts';

export interface Converted {
  value: unknown;
  spot: Spot;
  faults: Fault[];
  /** Why reading stopped early. */
  excess?: Fault | undefined;
}

export interface Fault {
  path: Path;
  offset: number;
  message: string;
}

const MAX_DEPTH = 64;
/** The total number of values that aliases may repeat. */
const MAX_REPEATED = 10_000;
const REFUSED_KEYS = ['__proto__', 'constructor', 'prototype'];

interface State {
  faults: Fault[];
  anchors: Map<string, Node>;
  /** Anchors being read. An alias to one of them would never end. */
  open: Set<Node>;
  repeated: number;
  /** The offset of the alias that is being followed. */
  aliasAt?: number | undefined;
  excess?: Fault | undefined;
}

type Part = Pick<Converted, 'value' | 'spot'>;

/**
 * Converts a document to plain data with the place of every value. Refused parts are left out and reported as faults.
 */
export function convertDocument(document: Document): Converted {
  const state: State = { faults: [], anchors: new Map(), open: new Set(), repeated: 0 };
  return { ...convert(document.contents, [], state), faults: state.faults, excess: state.excess };
}

function convert(node: unknown, path: Path, state: State): Part {
  const offset = offsetOf(node) ?? 0;
  const nothing = { value: null, spot: { at: offset } };
  const refuse = (message: string): Part => {
    state.faults.push({ path, offset, message });
    return nothing;
  };
  state.excess ??= findExcess(path, offset, state);
  if (state.excess) return nothing;
  if (isAlias(node)) return convertAlias(node.source, state, { path, offset, refuse });
  if (!isMap(node) && !isSeq(node) && !isScalar(node)) return nothing;
  if (node.tag !== undefined) return refuse('tags are not supported; remove it, or put the value in quotes');
  if (node.anchor !== undefined) state.anchors.set(node.anchor, node);
  if (isScalar(node))
    return isPlain(node.value) ? { ...nothing, value: node.value } : refuse('must be a finite number');
  state.open.add(node);
  const part = isMap(node) ? convertMap(node, path, state) : convertList(node, path, state);
  state.open.delete(node);
  return part;
}

function findExcess(path: Path, offset: number, state: State): Fault | undefined {
  if (path.length > MAX_DEPTH) return { path: [], offset, message: `nested more than ${MAX_DEPTH} levels deep` };
  if (state.aliasAt === undefined || ++state.repeated <= MAX_REPEATED) return undefined;
  return { path: [], offset: state.aliasAt, message: 'aliases repeat too much; write the values out' };
}

interface AliasPlace {
  path: Path;
  offset: number;
  refuse(message: string): Part;
}

function convertAlias(name: string, state: State, { path, offset, refuse }: AliasPlace): Part {
  const target = state.anchors.get(name);
  if (!target) return refuse('this alias names no anchor before it');
  if (state.open.has(target)) return refuse('this alias is part of the value that it names');
  const { aliasAt } = state;
  state.aliasAt = aliasAt ?? offset;
  const part = convert(target, path, state);
  state.aliasAt = aliasAt;
  return { value: part.value, spot: { ...part.spot, at: offset } };
}

function convertMap(node: YAMLMap, path: Path, state: State): Part {
  const entries = new Map<string, unknown>();
  const children = new Map<string | number, Spot>();
  for (const pair of node.items) {
    const keyAt = offsetOf(pair.key) ?? offsetOf(node) ?? 0;
    const key = readKey(pair);
    const fault = key === undefined ? 'a key must be text' : checkKey(key, entries);
    if (key === undefined || fault) {
      state.faults.push({ path: key === undefined ? path : [...path, key], offset: keyAt, message: String(fault) });
      continue;
    }
    const part = convert(pair.value, [...path, key], state);
    entries.set(key, part.value);
    children.set(key, { ...part.spot, at: offsetOf(pair.value) ?? keyAt, keyAt });
  }
  return { value: Object.fromEntries(entries), spot: { at: offsetOf(node) ?? 0, children } };
}

function convertList(node: YAMLSeq, path: Path, state: State): Part {
  const children = new Map<string | number, Spot>();
  const value = node.items.map((item, index) => {
    const part = convert(item, [...path, index], state);
    children.set(index, part.spot);
    return part.value;
  });
  return { value, spot: { at: offsetOf(node) ?? 0, children } };
}

function readKey({ key }: Pair): string | undefined {
  if (!isScalar(key) || key.tag !== undefined || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : String(key.source ?? key.value);
}

function checkKey(key: string, entries: ReadonlyMap<string, unknown>): string | undefined {
  if (REFUSED_KEYS.includes(key)) return 'this key is not allowed';
  return entries.has(key) ? 'this key appears twice; remove one' : undefined;
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function offsetOf(node: unknown): number | undefined {
  const isNode = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
  return isNode ? node.range?.[0] : undefined;
}
