import { createOfferer, type Offer, type OfferOptions } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';

/** Lists kept at once: users with connections of their own, and front ends that bring their tools, have several. */
const MAX_LISTS = 32;
const MAX_CLIENT_TOOLS = 500;
const MAX_CLIENT_CHARS = 20_000;

export interface OfferBookOptions extends OfferOptions {
  /** The agent's tools as they are offered, from those of its sources. */
  toOwn(tools: readonly Tool[]): readonly Tool[];
}

export interface OfferBook {
  /** The offer for these tools of the agent's sources, followed by those of the caller. */
  find(tools: readonly Tool[], clientTools: readonly Tool[]): Offer;
}

interface Entry<T> {
  tools: readonly Tool[];
  value: T;
}

/** Compiles an agent's tools once per list of tools. A turn with a known list costs a comparison. */
export function createOfferBook({ toOwn, ...options }: OfferBookOptions): OfferBook {
  const offer = createOfferer(options);
  const own = createLists((tools) => toOwn(tools));
  const offers = createLists(offer);
  const known = new Map<string, Tool>();

  /** A front end sends the same definitions with every request: equal ones become one tool. */
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
      // A tool of one turn alone, or a huge one, is not kept beyond its turn.
      return isKept ? offers(list) : offer(list);
    },
  };
}

/** Makes a value once per list. Two lists are the same when they hold the same tools in the same order. */
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
