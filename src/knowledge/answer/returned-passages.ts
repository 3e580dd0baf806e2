import * as z from 'zod';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { Citation } from '../../schema/conversation/turn.ts';
import { isObject, type Json } from '../../schema/json.ts';
import type { OfferedTool } from '../../tools/offer.ts';
import type { ToolOutcome } from '../../tools/tool.ts';
import type { Passage } from '../knowledge.ts';

/** A passage as a search of this turn returned it. */
export interface ReturnedPassage extends Passage {
  /** The name of its `knowledge` entry. */
  knowledge: string;
}

/** The knowledge entry of a search tool; undefined for any other tool. */
export type KnowledgeOf = (tool: string) => string | undefined;

/** The passages of a turn by the id that the model cites. They come from the journal alone. */
export function readPassages(calls: readonly ToolCall[], knowledgeOf: KnowledgeOf): Map<string, ReturnedPassage> {
  const passages = calls.flatMap(({ name, state, result }) => {
    const knowledge = knowledgeOf(name);
    return knowledge !== undefined && state === 'completed' ? passagesIn(result ?? null, knowledge) : [];
  });
  return new Map(passages.map((passage) => [passage.id, passage]));
}

const Returned = z.lazy(() => Citation.unwrap().omit({ knowledge: true, quote: true }).extend({ text: z.string() }));

export function passagesIn(result: Json, knowledge: string): ReturnedPassage[] {
  const list = isObject(result) && Array.isArray(result.passages) ? result.passages : [];
  const read = list.flatMap((one) => Returned.safeParse(one).data ?? []);
  return read.map(({ page, ...passage }) => ({ ...passage, knowledge, ...(page !== undefined && { page }) }));
}

/** Headings that a search without a result named as the nearest. */
export function headingsIn(result: Json = null): string[] {
  const list = isObject(result) ? result.headings : undefined;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** Numbers the passages of all searches of a turn, so that an id stands for one passage. */
export function numberPassages(
  tools: ReadonlyMap<string, OfferedTool>,
  calls: readonly ToolCall[],
  knowledgeOf: KnowledgeOf,
): ReadonlyMap<string, OfferedTool> {
  const known = [...readPassages(calls, knowledgeOf).values()];
  const ids = new Map(known.map((passage) => [keyOf(passage), passage.id]));
  const idOf = (passage: ReturnedPassage) => {
    const key = keyOf(passage);
    const id = ids.get(key) ?? `p${ids.size + 1}`;
    ids.set(key, id);
    return id;
  };
  return new Map(
    [...tools].map(([name, offered]) => {
      const knowledge = knowledgeOf(name);
      if (knowledge === undefined) return [name, offered];
      const { tool } = offered;
      const run: typeof tool.run = async (args, context) => renumber(await tool.run(args, context), knowledge, idOf);
      return [name, { ...offered, tool: { ...tool, run } }];
    }),
  );
}

function renumber(outcome: ToolOutcome, knowledge: string, idOf: (passage: ReturnedPassage) => string): ToolOutcome {
  if (!('result' in outcome) || !isObject(outcome.result)) return outcome;
  const passages = passagesIn(outcome.result, knowledge).map((passage) => {
    const { knowledge: _name, ...shown } = passage;
    return { ...shown, id: idOf(passage), breadcrumb: [...passage.breadcrumb] };
  });
  return { result: { ...outcome.result, passages } };
}

function keyOf({ knowledge, document, version, start, end }: ReturnedPassage): string {
  return JSON.stringify([knowledge, document, version, start, end]);
}
