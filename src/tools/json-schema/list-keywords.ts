import type { Json } from '../../schema/json.ts';
import { type Keywords, readNumber, readSchemas, toCanonicalText } from './keywords.ts';
import { applyNode, type Check, fail, inside, isCollecting, type Node, quietly, type Visit } from './run.ts';

/** Keywords about lists. `items` as a list is the form of draft 7, `prefixItems` that of 2020-12. */
export const compileListKeywords: Keywords = (schema, compiler) => {
  const { items, prefixItems, additionalItems, contains, uniqueItems } = schema;
  const isOldTuple = Array.isArray(items);
  const first = readSchemas(isOldTuple ? items : prefixItems, compiler) ?? [];
  const rest = isOldTuple ? additionalItems : items;
  const others = rest === undefined ? undefined : compiler.compile(rest);
  const most = readNumber(schema.maxContains) ?? Number.POSITIVE_INFINITY;
  return [
    checkCount(readNumber(schema.minItems), readNumber(schema.maxItems)),
    first.length > 0 || others !== undefined ? checkItems(first, others) : undefined,
    contains === undefined
      ? undefined
      : checkContains(compiler.compile(contains), readNumber(schema.minContains) ?? 1, most),
    uniqueItems === true ? isUnique : undefined,
  ].filter((check) => check !== undefined);
};

function checkCount(least = 0, most = Number.POSITIVE_INFINITY): Check {
  return (value, visit) => {
    if (!Array.isArray(value)) return true;
    if (value.length < least) return fail(visit, { keyword: 'minItems', params: { limit: least } });
    return value.length <= most || fail(visit, { keyword: 'maxItems', params: { limit: most } });
  };
}

function checkItems(first: readonly Node[], others: Node | undefined): Check {
  return (value, visit) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    const count = others === undefined ? Math.min(first.length, value.length) : value.length;
    for (let index = 0; index < count && (holds || isCollecting(visit)); index++) {
      const node = first[index] ?? others;
      visit.evaluated?.push(index);
      if (node && !applyNode(node, value[index] ?? null, inside(visit, index))) holds = false;
    }
    return holds;
  };
}

function checkContains(node: Node, least: number, most: number): Check {
  return (value, visit) => {
    if (!Array.isArray(value)) return true;
    const quiet = quietly(visit);
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!applyNode(node, item, inside(quiet, index))) continue;
      count++;
      visit.evaluated?.push(index);
    }
    return (count >= least && count <= most) || fail(visit, { keyword: 'contains', params: {} });
  };
}

/** Hashes each entry once, so that the check is linear. */
function isUnique(value: Json, visit: Visit): boolean {
  if (!Array.isArray(value)) return true;
  const texts = new Set<string>();
  for (const item of value) {
    const text = toCanonicalText(item, visit.run);
    if (texts.has(text)) return fail(visit, { keyword: 'uniqueItems', params: {} });
    texts.add(text);
  }
  return true;
}
