import { withoutCited } from '../agent/cited-text.ts';
import type { PluginTurn, ResultAdditions, TurnPlugin } from '../agent/plugin.ts';
import { readTurns } from '../builtin/conversation.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { NumberCheck, TurnResult } from '../schema/conversation/turn.ts';
import { DataQuery, type DataReading, type DataVocabulary } from '../schema/data-query.ts';
import type { RoutingDecision } from '../schema/domain.ts';
import { isObject } from '../schema/json.ts';
import { suggest } from './answer/suggest.ts';
import { FAILED, firstLine } from './answer/synthesize.ts';
import { lastDomains } from './ask/plan-data-turn.ts';
import { complete } from './ask/plan-reading.ts';
import { withSpaceConversations } from './ask/space-conversations.ts';
import type { NamedSource } from './check/attribution.ts';
import { checkAnswer } from './check/check-answer.ts';
import type { ClaimChecker } from './check/claim-checker.ts';
import { findDataNotes, findShortLists } from './check/data-notes.ts';
import { type AnsweredQuery, describeDropped, findDropped } from './check/dropped-words.ts';
import { markUnbacked } from './check/find-figures.ts';
import { readResultTables } from './check/result-tables.ts';
import { createClaimChecker } from './claims/check-claims.ts';
import { type Composer, earlierQueries, isRunQuery, otherLine, readingLine, readQuery } from './composer.ts';
import { decide } from './decide/decide.ts';
import { decideFromCalls, decideFromSilence } from './decide/decide-from-calls.ts';
import { decideFromReading } from './decide/decide-from-reading.ts';
import { areWordsOf, askTool, type Registry } from './decide/registry.ts';

export interface RoutingPluginOptions {
  registry: Registry;
  /** If true, decides before the model is asked; otherwise the model chooses among the domains' tools. */
  decidesFirst: boolean;
  /** Reads questions over the models of local spaces. */
  composer?: Composer | undefined;
}

/** Routing as a plugin of the loop: decides first, then checks the answer's figures and adds its sources. */
export function createRoutingPlugin({ registry, decidesFirst, composer }: RoutingPluginOptions): TurnPlugin {
  const byWords = (turn: PluginTurn) => {
    const earlier = lastDomains(readTurns(turn.history), registry);
    return decide({ text: questionOf(turn), earlier }, registry);
  };
  const checkers = new WeakMap<DataVocabulary, ClaimChecker>();
  /** Words cannot be held against a query while the data cannot be read. */
  const claimChecker = async (turn: PluginTurn) => {
    const vocabulary = await composer?.vocabulary((name) => turn.tools.has(name)).catch(() => undefined);
    const known = vocabulary && (checkers.get(vocabulary) ?? createClaimChecker(vocabulary));
    if (vocabulary && known) checkers.set(vocabulary, known);
    return known;
  };
  /** While the data cannot be read, words decide, and the tool of the space reports the fault. */
  const compose = (turn: PluginTurn) => {
    const isOffered = (name: string) => turn.tools.has(name);
    const earlier = earlierQueries(readTurns(turn.history));
    return composer?.compose({ text: questionOf(turn), earlier, isOffered }).catch(() => undefined);
  };
  return {
    async before(turn) {
      const tools = withSpaceConversations(turn.tools, turn.memory);
      const isDecided = turn.state.routing !== undefined || !decidesFirst;
      if (isDecided) return { events: [], tools };
      const composition = await compose(turn);
      const decision = decideFromReading(byWords(turn), composition, registry);
      return { events: [{ type: 'routing', decision }], tools };
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
      const whole = withoutCited(turn);
      const text = withoutAsides({ ...turn, text: whole }, sources);
      const calls = dataCalls(turn);
      const question = questionOf(turn);
      // The built-in model never invents a figure; other models may write one without asking any domain.
      const isUnbacked = calls.length === 0 && !decidesFirst;
      const claims = isUnbacked ? undefined : await claimChecker(turn);
      const checks = isUnbacked
        ? markUnbacked(text, question)
        : checkAnswer({ text, question, calls, sources, whole, claims });
      const decision = turn.state.routing ?? late;
      const reading = decidesFirst ? decision?.reading : (await compose(turn))?.reading;
      const sure = readingConfidence(calls, reading, decidesFirst);
      return {
        events: [
          ...(late ? [{ type: 'routing' as const, decision: late }] : []),
          ...(checks.length > 0 ? [{ type: 'annotation' as const, checks }] : []),
        ],
        additions: decision ? additionsOf(turn, { decision, checks, sources, registry, sure, decidesFirst }) : {},
      };
    },
  };
}

function questionOf({ state }: PluginTurn): string {
  return state.messages.find((message) => message.role === 'user')?.content ?? '';
}

/** Calls that returned data, including those that read the rest of a cut output. Passages of documents are no data. */
function dataCalls({ state, tools }: PluginTurn): ToolCall[] {
  return state.calls.filter((call) => call.state === 'completed' && !tools.get(call.name)?.tool.searchesDocuments);
}

/**
 * Blanks out the parts of the answer that quote a tool: what was computed, why a domain failed, notes about the data,
 * and the names of domains in the cells of a table. All other text is checked, whoever wrote it.
 */
function withoutAsides({ text, state }: PluginTurn, sources: readonly NamedSource[]): string {
  const failures = state.calls.flatMap(({ error }) => (error ? [`${FAILED}${firstLine(error.message)}`] : []));
  const notes = findDataNotes(state.calls.map(({ result }) => result ?? null));
  const readings = state.routing?.reading
    ? [readingLine(state.routing.reading), ...otherLine(state.routing.reading)]
    : [];
  const echoes = state.calls.flatMap(({ result }) =>
    isObject(result) && typeof result.reading === 'string' ? [result.reading] : [],
  );
  const cells = sources.map(({ displayName }) => ` ${displayName} |`);
  const plain = cells.reduce((rest, cell) => rest.replaceAll(cell, `${' '.repeat(cell.length - 1)}|`), text);
  return [...readings, ...echoes, ...failures, ...notes].reduce(
    (rest, aside) => rest.replace(aside, ' '.repeat(aside.length)),
    plain,
  );
}

function answeredQueries(turn: PluginTurn): AnsweredQuery[] {
  const answered = dataCalls(turn).filter(({ domain }) => domain !== undefined);
  return answered.map((call) => ({
    query: Object.values(call.arguments)
      .filter((value) => typeof value === 'string')
      .join(' '),
    result: call.result ?? null,
  }));
}

/** `<domain>.<space>` of every domain that answered, in call order. */
function sourcesOf(turn: PluginTurn, registry: Registry): NamedSource[] {
  const names = new Map(
    dataCalls(turn).flatMap(({ name, domain }) =>
      domain === undefined ? [] : [[`${domain}.${turn.tools.get(name)?.tool.source ?? name}`, domain]],
    ),
  );
  return [...names].map(([source, domain], index) => ({
    number: index + 1,
    domain,
    source,
    displayName: registry.find(domain)?.display_name ?? domain,
  }));
}

interface Findings {
  decision: RoutingDecision;
  checks: readonly NumberCheck[];
  sources: readonly NamedSource[];
  registry: Registry;
  /** The most that the readings of the calls allow. */
  sure: 'high' | 'medium' | 'low';
  decidesFirst: boolean;
}

function additionsOf(turn: PluginTurn, findings: Findings): ResultAdditions {
  const { decision, checks, sources, registry } = findings;
  const { reading } = decision;
  const isUnanswered =
    reading !== undefined && (reading.kind === 'ask' || reading.kind === 'decline') && sources.length === 0;
  if (isUnanswered && decision.identified_domains.length > 0) return { confidence: 'low' };
  if (decision.identified_domains.length === 0) return checks.some(({ found }) => !found) ? { confidence: 'low' } : {};
  const answered = new Set(sources.map(({ domain }) => domain));
  const missing = decision.identified_domains.filter((name) => !answered.has(name));
  // The built-in model asks in the user's own words and writes every row and note; other models may leave some out.
  const isModel = !findings.decidesFirst;
  const all = isModel ? findDropped(questionOf(turn), answeredQueries(turn)) : [];
  const dropped = all.filter((words) => !areWordsOf(missing, words, registry));
  const unasked = missing.filter((name) => !turn.state.calls.some((call) => call.domain === name));
  const results = answeredQueries(turn).map(({ result }) => result);
  const untold = isModel ? findShortLists(turn.text, readResultTables(dataCalls(turn))) : [];
  const notes = [...findDataNotes(results), ...(isModel ? findDataNotes(results, 'reasons') : []), ...untold];
  const unfound = checks.filter((check) => !check.found).length;
  const gaps = missing.length + unfound + dropped.length + notes.length;
  const descriptions = new Map([...turn.tools].map(([name, { definition }]) => [name, definition.description]));
  const earlier = readTurns(turn.history).map(({ message }) => message.content);
  const details = [
    ...unasked.map((name) => detailOf(name, turn, registry)),
    ...(dropped.length > 0 ? [{ reason: describeDropped(dropped) }] : []),
    ...notes.map((reason) => ({ reason })),
  ];
  return {
    sources: sources.map(({ source }) => source),
    suggestions: suggest({ question: questionOf(turn), earlier, results, used: [...answered], registry, descriptions }),
    confidence: lower(confidenceOf(gaps, answered.size), findings.sure),
    partial_results: missing.length + dropped.length + notes.length > 0,
    ...(details.length > 0 && { error_details: details }),
  };
}

const RANK = { high: 2, medium: 1, low: 0 } as const;
type Confidence = keyof typeof RANK;

function lower(a: Confidence, b: Confidence): Confidence {
  return RANK[a] < RANK[b] ? a : b;
}

/**
 * The confidence that the readings allow. A query that a model filled in is high only if our own reading of the question
 * is the same query.
 */
function readingConfidence(calls: readonly ToolCall[], own: DataReading | undefined, decidesFirst: boolean) {
  const said = calls.map(({ result }): Confidence => {
    const value = isObject(result) ? result.confidence : undefined;
    return value === 'medium' || value === 'low' ? value : 'high';
  });
  const worst = said.reduce(lower, 'high');
  const ran = calls.filter(({ name }) => isRunQuery(name));
  if (ran.length === 0) return worst;
  const isSame = ran.every((call) =>
    own?.parts.some(({ tool, query }) => tool === call.name && isSameQuery(query, readQuery(call.arguments))),
  );
  if (decidesFirst) return lower(worst, own?.confidence ?? 'low');
  return lower(worst, isSame && own ? own.confidence : 'medium');
}

/** Periods are compared by their days, not by the words for them. A field that is absent here may be null there. */
function isSameQuery(a: DataQuery, b: DataQuery | undefined): boolean {
  const plain = (query: DataQuery) =>
    JSON.stringify(DataQuery.parse(complete(query)), (key, value) => (key === 'words' ? undefined : value));
  return b !== undefined && plain(a) === plain(b);
}

/**
 * High if all domains answered, every figure was found and nothing was left out; medium with one gap; low otherwise.
 */
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
