import { isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

/** Line of a key or of an entry of a list in a YAML text, by its path as a warning writes it: `tools[0].database`. */
export function lineOf(text: string, path: string): number | undefined {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
  let start: number | undefined;
  for (const [, key, index] of path.matchAll(/([^.[\]]+)(?=\.|\[|$)|\[(\d+)\]/g)) {
    if (!isCollection(node)) return undefined;
    if (index === undefined) {
      const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
      start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
    } else {
      // The cast is safe: entries of a list in a parsed text are nodes.
      const entry = node.items[Number(index)] as Node | undefined;
      start = entry?.range?.[0];
      node = entry;
    }
    if (start === undefined) return undefined;
  }
  return start === undefined ? undefined : lines.linePos(start).line;
}
