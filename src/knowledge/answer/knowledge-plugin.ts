import type { PluginTurn, ResultAdditions, TurnPlugin } from '../../agent/plugin.ts';
import type { Ids } from '../../ids.ts';
import type { EventBody } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { AnswerCheck, Citation } from '../../schema/conversation/turn.ts';
import { isObject } from '../../schema/json.ts';
import { citeAnswer } from '../cite/cite-answer.ts';
import { sourceOf } from '../cite/describe-citation.ts';
import type { KnowledgeBase } from '../knowledge.ts';
import { UNSURE } from './extract.ts';
import { NOT_FOUND, writeFailure, writeRefusal } from './plan-knowledge.ts';
import { toQuestion } from './question.ts';
import {
  headingsIn,
  type KnowledgeOf,
  numberPassages,
  type ReturnedPassage,
  readPassages,
} from './returned-passages.ts';
import { searchToolName } from './search-tool.ts';

export interface KnowledgePluginOptions {
  bases: readonly Pick<KnowledgeBase, 'name' | 'entry'>[];
  ids: Ids;
  /** If true, searches before the model is asked; otherwise the model searches by itself, as the built-in one does. */
  searchesFirst: boolean;
}

/**
 * Knowledge as a plugin of the loop: searches before the first reply, replaces an answer that no passage supports, and
 * checks every citation of an answer.
 */
export function createKnowledgePlugin({ bases, ids, searchesFirst }: KnowledgePluginOptions): TurnPlugin {
  const names = new Map(bases.map((base) => [searchToolName(base), base.name]));
  const knowledgeOf: KnowledgeOf = (tool) => names.get(tool);
  const isGrounded = bases.every(({ entry }) => entry.answer === 'grounded');
  const isSearched = (turn: PluginTurn) => searchesOf(turn, knowledgeOf).length > 0;
  return {
    async before(turn) {
      const tools = numberPassages(turn.tools, turn.state.calls, knowledgeOf);
      const offered = [...names.keys()].filter((name) => tools.has(name));
      const question = searchesFirst ? questionOf(turn) : undefined;
      const events = question === undefined ? [] : startSearches(turn, { names: offered, question, ids });
      const isHeld = (view: PluginTurn) => isSearched(view) && readPassages(view.state.calls, knowledgeOf).size === 0;
      return { events, tools, ...(searchesFirst && isGrounded && { holds: isHeld }) };
    },
    async onAnswer(turn) {
      if (readPassages(turn.state.calls, knowledgeOf).size > 0 || otherResults(turn, knowledgeOf).length > 0)
        return 'keep';
      const searches = searchesOf(turn, knowledgeOf);
      const failed = searches.find(({ error }) => error);
      const isFailed = searches.every(({ state }) => state !== 'completed');
      const replace =
        isFailed && failed?.error
          ? writeFailure(failed.error.message)
          : writeRefusal(searches.flatMap(({ result }) => headingsIn(result)));
      return { replace, reason: 'no passage above the floor' };
    },
    async after(turn) {
      const passages = readPassages(turn.state.calls, knowledgeOf);
      const isRefusal = passages.size === 0 && turn.text.startsWith(NOT_FOUND);
      const building = stillBuilding(turn, knowledgeOf);
      if (isRefusal || (!isSearched(turn) && !/\[p\d+\]/.test(turn.text))) return { events: [], additions: building };
      const others = otherResults(turn, knowledgeOf);
      const all = citeAnswer({ text: turn.text, passages: toEvidence(passages), others });
      const checks = all.filter((check) => isOurs(check, turn, isGrounded));
      const citations = citationsOf(checks, passages);
      const event: EventBody = { type: 'annotation', checks, ...(citations.length > 0 && { citations }) };
      const gaps = (isGrounded ? all : checks).filter(({ found }) => !found).length;
      const unanswered = searchesFirst ? 0 : countUnanswered(turn);
      const additions = additionsOf(checks, { citations, gaps: gaps + unanswered });
      return { events: checks.length > 0 ? [event] : [], additions: { ...additions, ...building } };
    },
  };
}

function questionOf({ state, history }: PluginTurn): string | undefined {
  const message = state.messages.find(({ role }) => role === 'user')?.content ?? '';
  return toQuestion(message, history.findLast(({ role }) => role === 'user')?.content);
}

/** Starts a search of each entry, once for each agent that gets the message. No reply asked for these calls. */
function startSearches(
  { state }: PluginTurn,
  { names, question, ids }: { names: readonly string[]; question: string; ids: Ids },
): EventBody[] {
  const speakers = [state.messages[1]?.metadata.agent, ...state.handedOverTo];
  if (speakers.indexOf(speakers.at(-1)) < speakers.length - 1) return [];
  const own = state.calls.slice(state.calls.findLastIndex((call) => call.handed_over_to !== undefined) + 1);
  const isStarted = (name: string) => own.some((call) => call.name === name && call.state !== 'unknown');
  const toCall = (name: string) => ({ id: `call_${ids.ulid()}`, name, arguments: { query: question } });
  const calls = names.filter((name) => !isStarted(name)).map(toCall);
  return calls.map((call) => ({ type: 'tool-call-start', call: { ...call, state: 'pending' } }));
}

function searchesOf({ state }: PluginTurn, knowledgeOf: KnowledgeOf): ToolCall[] {
  return state.calls.filter(({ name }) => knowledgeOf(name) !== undefined);
}

/** Results of other tools, which may support an answer as well. */
function otherResults({ state }: PluginTurn, knowledgeOf: KnowledgeOf): string[] {
  return state.calls
    .filter(({ state: outcome, handed_over_to: to }) => outcome === 'completed' && to === undefined)
    .filter(({ name }) => knowledgeOf(name) === undefined)
    .map(({ result }) => (typeof result === 'string' ? result : JSON.stringify(result ?? null)));
}

/** Figures without a citation belong to the data domains; free answers are checked only where they cite. */
function isOurs(check: AnswerCheck, { agent }: PluginTurn, isGrounded: boolean): boolean {
  if (check.kind === 'citation' && check.citations !== undefined) return true;
  return isGrounded && !(agent.domains.length > 0 && /\d/.test(check.text));
}

function citationsOf(checks: readonly AnswerCheck[], passages: ReadonlyMap<string, ReturnedPassage>): Citation[] {
  const ids = checks.flatMap((check) => (check.kind === 'citation' ? (check.citations ?? []) : []));
  return [...new Set(ids)].flatMap((id) => {
    const passage = passages.get(id);
    if (!passage) return [];
    const { text: quote, breadcrumb, ...place } = passage;
    return [{ ...place, breadcrumb: [...breadcrumb], quote }];
  });
}

/** The page is shown with a citation, so that an answer may name it. */
function toEvidence(passages: ReadonlyMap<string, ReturnedPassage>): Map<string, ReturnedPassage> {
  const withPage = (one: ReturnedPassage) =>
    one.page === undefined ? one : { ...one, breadcrumb: [...one.breadcrumb, `page ${one.page}`] };
  return new Map([...passages].map(([id, one]) => [id, withPage(one)]));
}

/** The built-in model quotes the sentence that fits best. It stands in the documents, but may answer another question. */
function countUnanswered({ text }: PluginTurn): number {
  return text.startsWith(UNSURE) ? 2 : 1;
}

/** High if every statement is supported, medium with one gap, low otherwise. A quotation has a gap: it is never high. */
function additionsOf(
  checks: readonly AnswerCheck[],
  { citations, gaps }: { citations: readonly Citation[]; gaps: number },
): ResultAdditions {
  if (checks.length === 0) return {};
  const isCited = citations.length > 0;
  const confidence = !isCited || gaps > 1 ? 'low' : gaps === 1 ? 'medium' : 'high';
  const sources = [...new Set(citations.map(sourceOf))];
  return { sources, confidence, ...(isCited && { citations: [...citations] }) };
}

/** While documents are read, an answer may miss some of them. */
function stillBuilding(turn: PluginTurn, knowledgeOf: KnowledgeOf): ResultAdditions {
  const notes = searchesOf(turn, knowledgeOf).map(({ result = null }) => isObject(result) && result.building);
  const reason = notes.find((note) => typeof note === 'string');
  return reason === undefined ? {} : { partial_results: true, error_details: [{ reason }] };
}
