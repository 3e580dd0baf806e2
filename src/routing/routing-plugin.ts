import type { PluginTurn, ResultAdditions, TurnPlugin } from '../agent/plugin.ts';
import { readTurns } from '../builtin/conversation.ts';
import type { WordVectors } from '../builtin/word-vectors.ts';
import type { RoutingDecision } from '../schema/domain.ts';
import { isObject } from '../schema/json.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import type { NumberCheck, TurnResult } from '../schema/turn.ts';
import type { NamedSource } from './attribution.ts';
import { checkAnswer } from './check-answer.ts';
import { findDataNotes } from './data-notes.ts';
import { decide } from './decide.ts';
import { decideFromCalls, decideFromSilence } from './decide-from-calls.ts';
import { FAILED, firstLine } from './describe-problem.ts';
import type { AnsweredQuery } from './dropped-words.ts';
import { markUnbacked } from './mark-unbacked.ts';
import { describeOnlyInParts, findOnlyInParts } from './only-in-parts.ts';
import { lastDomains } from './plan-data-turn.ts';
import { areWordsOf, askTool, type Registry } from './registry.ts';
import { withSpaceConversations } from './space-conversations.ts';
import { suggest } from './suggest.ts';
import { INSTEAD } from './synthesize.ts';
import { describeUnheard, findUnheard } from './unheard.ts';

export interface RoutingPluginOptions {
  registry: Registry;
  vectors: () => WordVectors;
  /** Decides before the model is asked; otherwise the model chooses among the domains' tools. */
  decidesFirst: boolean;
}

/** Routing as a plugin of the loop: decides before, and after the answer checks its figures and says what it rests on. */
export function createRoutingPlugin({ registry, vectors, decidesFirst }: RoutingPluginOptions): TurnPlugin {
  const byWords = (turn: PluginTurn) => {
    const earlier = lastDomains(readTurns(turn.history), registry);
    return decide({ text: questionOf(turn), earlier }, registry, vectors());
  };
  // What the built-in model asks are the user's own words; another one may leave some of them out.
  const unheardOf = (turn: PluginTurn, missing: readonly string[]) =>
    findUnheard({
      question: questionOf(turn),
      answered: answeredQueries(turn),
      isMissing: (words) => areWordsOf(missing, words, registry),
      ...(!decidesFirst && { vectors: vectors() }),
    });
  return {
    async before(turn) {
      const tools = withSpaceConversations(turn.tools, turn.memory);
      const isDecided = turn.state.routing !== undefined || !decidesFirst;
      return { events: isDecided ? [] : [{ type: 'routing', decision: byWords(turn) }], tools };
    },
    onCalls(turn) {
      if (decidesFirst) return [];
      const decision = decideFromCalls(turn.state.calls, byWords(turn));
      const before = turn.state.routing?.identified_domains.join();
      return decision && decision.identified_domains.join() !== before ? [{ type: 'routing', decision }] : [];
    },
    async after(turn) {
      const late = turn.state.routing ? undefined : decideFromSilence(turn.text, byWords(turn));
      const sources = sourcesOf(turn, registry);
      const text = withoutAsides(turn);
      const calls = dataCalls(turn);
      const question = questionOf(turn);
      // The built-in model never writes a figure of its own; another one may make it up without asking anybody.
      const isUnbacked = calls.length === 0 && !decidesFirst;
      const checks = isUnbacked ? markUnbacked(text, question) : checkAnswer({ text, question, calls, sources });
      const decision = turn.state.routing ?? late;
      return {
        events: [
          ...(late ? [{ type: 'routing' as const, decision: late }] : []),
          ...(checks.length > 0 ? [{ type: 'annotation' as const, checks }] : []),
        ],
        additions: decision ? additionsOf(turn, { decision, checks, sources, registry, unheardOf }) : {},
      };
    },
  };
}

function questionOf({ state }: PluginTurn): string {
  return state.messages.find((message) => message.role === 'user')?.content ?? '';
}

/** Calls that returned data; reading on in a cut output is part of them. */
function dataCalls({ state }: PluginTurn): ToolCall[] {
  return state.calls.filter((call) => call.state === 'completed');
}

/**
 * The answer with blanks where the built-in model tells why a domain failed, which question was answered instead and
 * what is missing in the data: these words are a tool's own. Nothing beside them is passed over, whoever wrote it.
 */
function withoutAsides({ text, state }: PluginTurn): string {
  const failures = state.calls.flatMap(({ error }) => (error ? [`${FAILED}${firstLine(error.message)}`] : []));
  const questions = state.calls.flatMap(({ result }) => (isObject(result) ? [result.question] : []));
  const instead = text.includes(INSTEAD) ? questions.filter((question) => typeof question === 'string') : [];
  const notes = findDataNotes(state.calls.map(({ result }) => result ?? null));
  return [...failures, ...instead, ...notes].reduce(
    (rest, aside) => rest.replace(aside, ' '.repeat(aside.length)),
    text,
  );
}

function answeredQueries({ state }: PluginTurn): AnsweredQuery[] {
  const answered = state.calls.filter((call) => call.state === 'completed' && call.domain !== undefined);
  return answered.map((call) => ({
    query: Object.values(call.arguments)
      .filter((value) => typeof value === 'string')
      .join(' '),
    result: call.result ?? null,
  }));
}

/** `<domain>.<space>` of every domain that answered, in call order. */
function sourcesOf({ state, tools }: PluginTurn, registry: Registry): NamedSource[] {
  const answered = state.calls.filter((call) => call.state === 'completed' && call.domain !== undefined);
  const names = new Map(
    answered.map((call) => [`${call.domain}.${tools.get(call.name)?.tool.source ?? call.name}`, call.domain ?? '']),
  );
  return [...names].map(([source, domain], index) => ({
    number: index + 1,
    domain,
    source,
    displayName: registry.find(domain)?.display_name ?? domain,
  }));
}

/** An answer to something finer than what was asked is never better than low. */
const IN_PARTS_GAPS = 2;

interface Findings {
  decision: RoutingDecision;
  checks: readonly NumberCheck[];
  sources: readonly NamedSource[];
  registry: Registry;
  /** What of the question the answer does not rest on, beside the domains that are missing. */
  unheardOf(turn: PluginTurn, missing: readonly string[]): string[];
}

function additionsOf(turn: PluginTurn, findings: Findings): ResultAdditions {
  const { decision, checks, sources, registry } = findings;
  if (decision.identified_domains.length === 0) return checks.some(({ found }) => !found) ? { confidence: 'low' } : {};
  const answered = new Set(sources.map(({ domain }) => domain));
  const missing = decision.identified_domains.filter((name) => !answered.has(name));
  const unheard = findings.unheardOf(turn, missing);
  const unasked = missing.filter((name) => !turn.state.calls.some((call) => call.domain === name));
  const results = answeredQueries(turn).map(({ result }) => result);
  const inParts = describeOnlyInParts(findOnlyInParts(results));
  const notes = findDataNotes(results);
  const unfound = checks.filter((check) => !check.found).length;
  const gaps = missing.length + unfound + unheard.length + notes.length + inParts.length * IN_PARTS_GAPS;
  const descriptions = new Map([...turn.tools].map(([name, { definition }]) => [name, definition.description]));
  const used = [...answered];
  const details = [
    ...unasked.map((name) => detailOf(name, turn, registry)),
    ...(unheard.length > 0 ? [{ reason: describeUnheard(unheard) }] : []),
    ...[...inParts, ...notes].map((reason) => ({ reason })),
  ];
  return {
    sources: sources.map(({ source }) => source),
    suggestions: used.length > 0 ? suggest({ question: questionOf(turn), results, used, registry, descriptions }) : [],
    confidence: confidenceOf(gaps, used.length),
    partial_results: missing.length + unheard.length + inParts.length + notes.length > 0,
    ...(details.length > 0 && { error_details: details }),
  };
}

/** High when all answered, every figure was found and nothing was left out, medium with one gap, low with more or no data. */
function confidenceOf(gaps: number, answered: number): NonNullable<TurnResult['confidence']> {
  if (answered === 0) return 'low';
  if (gaps === 0) return 'high';
  return gaps === 1 ? 'medium' : 'low';
}

function detailOf(name: string, { tools }: PluginTurn, registry: Registry): { domain: string; reason: string } {
  const domain = registry.find(name);
  const isThere = domain && askTool(domain, (tool) => tools.has(tool)) !== undefined;
  return { domain: name, reason: isThere ? 'It was not asked.' : 'Its tools cannot be reached right now.' };
}
