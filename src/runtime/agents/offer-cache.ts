import { createOfferer, type Offer, type OfferOptions } from '../../tools/offer.ts';
import type { Tool } from '../../tools/tool.ts';

/** Lists cached at once. Users with their own connections and front ends with their own tools each add a list. */
const MAX_LISTS = 32;
const MAX_CLIENT_TOOLS = 500;
const MAX_CLIENT_CHARS = 20_000;

export interface OfferCacheOptions extends OfferOptions {
  /** Turns the tools of the agent's sources into the tools that the agent offers. */
  toOwn(tools: readonly Tool[]): readonly Tool[];
}

export interface OfferCache {
  /** The offer for these source tools, followed by the caller's tools. */
  find(tools: readonly Tool[], clientTools: readonly Tool[]): Offer;
}

interface Entry<T> {
  tools: readonly Tool[];
  value: T;
}

/** Compiles an agent's tools once per list of tools. A turn with a known list costs one comparison. */
export function createOfferCache({ toOwn, ...options }: OfferCacheOptions): OfferCache {
  const offer = createOfferer(options);
  const own = createLists((tools) => toOwn(tools));
  const offers = createLists(offer);
  const known = new Map<string, Tool>();

  /** A front end sends the same definitions with every request; equal definitions become one tool. */
  const unify = (tool: Tool): Tool | undefined => {
    const text = tool.runsOnClient ? JSON.stringify([tool.name, tool.description, tool.inputSchema]) : '';
    if (text === '' || text.length > MAX_CLIENT_CHARS) return undefined;
    const first = known.get(text) ?? tool;
    known.delete(text);
    known.set(text, first);
    const [oldest] = known.keys();
    if (known.size > MAX_CLIENT_TOOLS && oldest !== undefined) known.delete(oldest);
    return first;
  };
  return {
    find(tools, clientTools) {
      const unified = clientTools.map(unify);
      const isKept = !unified.includes(undefined);
      const list = [...own(tools), ...clientTools.map((tool, index) => unified[index] ?? tool)];
      // A list with a tool that lives for one turn, or with a very large tool, is not cached.
      return isKept ? offers(list) : offer(list);
    },
  };
}

/** Computes a value once per list. Two lists are equal if they hold the same tools in the same order. */
function createLists<T>(make: (tools: readonly Tool[]) => T): (tools: readonly Tool[]) => T {
  let entries: Entry<T>[] = [];
  return (tools) => {
    const found = entries.find((entry) => isSame(entry.tools, tools)) ?? { tools: [...tools], value: make(tools) };
    entries = [found, ...entries.filter((entry) => entry !== found)].slice(0, MAX_LISTS);
    return found.value;
  };
}

function isSame(one: readonly Tool[], other: readonly Tool[]): boolean {
  return one.length === other.length && one.every((tool, index) => tool === other[index]);
}
