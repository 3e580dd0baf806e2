import { SaxesParser } from 'saxes';
import { LIMITS } from '../limits.ts';
import { Unreadable } from '../reading.ts';
import type { Zip } from './zip.ts';

/** An element without its prefix, because writers may choose prefixes freely. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/**
 * Yields the elements of a part with one of these names, each complete. Everything around them is dropped, so that a
 * part of any length needs little memory. Texts and names are taken literally: no entity is ever resolved.
 */
export async function* readElements(
  zip: Zip,
  part: string,
  wanted: readonly string[],
): AsyncGenerator<XmlElement, void> {
  if (!zip.entries.has(part)) return;
  const open: XmlElement[] = [];
  let depth = 0;
  let ready: XmlElement[] = [];
  const parser = new SaxesParser({});
  parser.on('error', (error) => {
    throw new Unreadable(`is damaged: ${part} is no valid XML (${error.message.slice(0, 80)})`);
  });
  parser.on('doctype', () => {
    throw new Unreadable('declares XML entities, which Office documents never do; such a file is not read');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > LIMITS.xmlDepth) throw new Unreadable(`is nested deeper than ${LIMITS.xmlDepth} levels`);
    const local = localName(name);
    if (open.length === 0 && !wanted.includes(local)) return;
    const element: XmlElement = { name: local, attributes: withoutPrefixes(attributes), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => open.at(-1)?.children.push(text));
  parser.on('closetag', () => {
    depth--;
    const element = open.pop();
    if (element && open.length === 0) ready.push(element);
  });
  const decoder = createDecoder();
  for await (const chunk of zip.stream(part)) {
    parser.write(decoder(chunk));
    const elements = ready;
    ready = [];
    yield* elements;
  }
  parser.close();
  yield* ready;
}

/** A part as one element; undefined if the archive has no such part. */
export async function readRoot(zip: Zip, part: string, name: string): Promise<XmlElement | undefined> {
  for await (const element of readElements(zip, part, [name])) return element;
  return undefined;
}

/** Child elements, optionally of one name. */
export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The first element at this path of names. */
export function find(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce((parent: XmlElement | undefined, name) => childrenOf(parent, name)[0], element);
}

/** Every descendant of this name, in order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** Relationship id → target part, and whether it is external. Targets are relative to the part's folder. */
export async function readRelations(zip: Zip, part: string): Promise<Map<string, { type: string; target: string }>> {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const root = await readRoot(zip, `${folder}_rels/${part.slice(slash + 1)}.rels`, 'Relationships');
  const relations = childrenOf(root, 'Relationship').map(
    ({ attributes }): [string, { type: string; target: string }] => {
      const { Id = '', Type = '', Target = '', TargetMode } = attributes;
      const target = TargetMode === 'External' ? Target : resolvePart(folder, Target);
      return [Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target }];
    },
  );
  return new Map(relations);
}

function resolvePart(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const step of target.split('/').filter(Boolean)) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `r:id` next to `id` is the only case where a prefix distinguishes two attributes, so it keeps its prefix. */
function withoutPrefixes(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.startsWith('r:') ? name : localName(name), value]),
  );
}

function createDecoder(): (chunk: Buffer) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  return (chunk) => {
    decoder ??= new TextDecoder(encodingOf(chunk));
    return decoder.decode(chunk, { stream: true });
  };
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}
