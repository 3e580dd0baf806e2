import type { Outcome, TurnView } from '../../builtin/conversation.ts';
import type { Plan, PlannedCall } from '../../builtin/plan.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Domain, RoutingDecision } from '../../schema/domain.ts';
import { isObject } from '../../schema/json.ts';
import { listedQuestions, suggest } from '../answer/suggest.ts';
import { type DomainOutcome, synthesize } from '../answer/synthesize.ts';
import { findDataNotes } from '../check/data-notes.ts';
import { isName } from '../check/find-names.ts';
import { otherLine, readingLine, rowsOf } from '../composer.ts';
import { decide } from '../decide/decide.ts';
import { asksForForecast, asksInOrder, leansOnEarlier } from '../decide/question-words.ts';
import { askTool, type Registry } from '../decide/registry.ts';
import { scoreDomains } from '../decide/score-domains.ts';
import { type Asked, askReading, declineReading, say } from './plan-reading.ts';

/** More names than an answer shows are not sent. */
const MAX_NAMES = 50;

/**
 * Plans a turn over data domains without a model. The domains are asked in parallel, or in order if one needs the
 * answer of another. Their results are then put into words. Returns undefined if the question matches no domain and the
 * agent has other tools to try.
 */
export function planDataTurn(turns: readonly TurnView[], request: ModelRequest, registry: Registry): Plan | undefined {
  const current = turns.at(-1);
  if (!current) return undefined;
  const earlier = lastDomains(turns.slice(0, -1), registry);
  const text = current.message.content;
  const decision = request.routing ?? decide({ text, earlier }, registry);
  const hasOthers = request.tools.some(({ name }) => !registry.ofTool(name));
  if (decision.identified_domains.length === 0 && decision.out_of_scope && hasOthers) return undefined;
  return planAnswer({ turns, request, registry, decision });
}

/** The domains asked by the most recent turn that asked any. */
export function lastDomains(turns: readonly TurnView[], registry: Registry): string[] {
  for (const turn of turns.toReversed()) {
    const names = turn.records.flatMap(({ name }) => registry.ofTool(name)?.name ?? []);
    if (names.length > 0) return [...new Set(names)];
  }
  return [];
}

interface DataTurn {
  turns: readonly TurnView[];
  request: ModelRequest;
  registry: Registry;
  decision: RoutingDecision;
}

function* planAnswer(turn: DataTurn): Plan {
  const { decision, registry } = turn;
  const { reading } = decision;
  const domains = decision.identified_domains.flatMap((name) => registry.find(name) ?? []);
  const isLocal = domains.every(({ mcp_tools: tools }) =>
    tools.some((tool) => isOffered(turn, tool.replace('query_space_', 'run_query_'))),
  );
  if (reading && (reading.kind === 'ask' || (reading.kind === 'decline' && isLocal && !decision.out_of_scope)))
    return declineReading(reading, examplesOf(turn, domains));
  if (domains.length === 0 || decision.out_of_scope) return say(declineText(decision, reachableDomains(turn)));
  const text = decision.user_query;
  const ordered = asksInOrder(text) && domains.length > 1 ? byMention(text, domains, registry) : undefined;
  const composed = reading?.kind === 'answer' ? reading : undefined;
  const ask = () => (ordered ? askInOrder(ordered, turn) : askAtOnce(domains, turn));
  const outcomes = composed ? yield* askReading(composed, registry) : yield* ask();
  const used = outcomes.flatMap(({ domain, outcome }) => (outcome && 'result' in outcome ? [domain.name] : []));
  const descriptions = new Map(turn.request.tools.map(({ name, description }) => [name, description]));
  const results = outcomes.flatMap(({ outcome }) => (outcome && 'result' in outcome ? [outcome.result] : []));
  const earlier = turn.turns.slice(0, -1).map(({ message }) => message.content);
  const suggestions = suggest({ question: text, earlier, results, used, registry, descriptions });
  const lead = composed ? { lead: readingLine(composed), other: otherLine(composed) } : {};
  return say(synthesize(outcomes, { suggestions, notes: findDataNotes(results), ...lead }));
}

/** The last summary offers no tools, but the earlier results still need an answer. */
function isOffered({ request, turns }: DataTurn, name: string): boolean {
  return (
    request.tools.some((tool) => tool.name === name) ||
    (turns.at(-1)?.records.some((record) => record.name === name) ?? false)
  );
}

const MAX_EXAMPLES = 3;

/** Questions that the spaces of these domains know, from the descriptions of their tools. */
function examplesOf({ request, registry }: DataTurn, domains: readonly Domain[]): string[] {
  const asked = domains.length > 0 ? domains : registry.domains;
  const lists = asked.map((domain) => {
    const tool = request.tools.find(({ name }) => name === askTool(domain, () => true));
    return listedQuestions(tool?.description);
  });
  const each = Math.ceil(MAX_EXAMPLES / Math.max(1, lists.length));
  return lists.flatMap((list) => list.filter((text) => !/\bN\b/.test(text)).slice(0, each)).slice(0, MAX_EXAMPLES);
}

function* askAtOnce(domains: readonly Domain[], turn: DataTurn): Asked {
  const calls = domains.map((domain) => toCall(domain, turn, queryFor(domain, turn)));
  const made = calls.filter((call) => call !== undefined);
  const outcomes = made.length > 0 ? yield made : [];
  let next = 0;
  return domains.map((domain, index) => {
    const outcome = calls[index] ? outcomes[next++] : undefined;
    return { domain, ...(outcome && { outcome }) };
  });
}

/** Passes the names found by each domain on to the next one. */
function* askInOrder(domains: readonly Domain[], turn: DataTurn): Asked {
  const found: DomainOutcome[] = [];
  let names: string[] = [];
  for (const domain of domains) {
    const call = toCall(domain, turn, withNames(queryFor(domain, turn), names));
    const [outcome] = call ? yield [call] : [];
    found.push({ domain, ...(outcome && { outcome }) });
    const newer = outcome ? namesOf(outcome) : [];
    if (newer.length > 0) names = newer;
  }
  return found;
}

function toCall(domain: Domain, turn: DataTurn, query: string): PlannedCall | undefined {
  const name = askTool(domain, (tool) => isOffered(turn, tool));
  const definition = turn.request.tools.find((tool) => tool.name === name);
  return name === undefined ? undefined : { name, arguments: { [argumentFor(definition?.inputSchema)]: query } };
}

/** Spaces take `query`. Other tools take the question in their first required argument. */
function argumentFor(schema: ModelRequest['tools'][number]['inputSchema'] | undefined): string {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  if ('query' in properties || Object.keys(properties).length === 0) return 'query';
  const required = Array.isArray(schema?.required) ? schema.required.map(String) : [];
  return required[0] ?? Object.keys(properties)[0] ?? 'query';
}

const THEM = /\b(?:them|they|theirs?|those|these)\b/i;
const IT = /\b(?:it|its)\b/i;

/**
 * A follow-up without a subject is sent together with the question that it continues. "Their stock" is sent with the
 * names that the last answer showed, because another space does not know them.
 */
function queryFor(domain: Domain, { turns, decision, registry }: DataTurn): string {
  const text = decision.user_query;
  const earlier = turns.slice(0, -1).toReversed();
  const hasSubject = scoreDomains(text, registry.terms).matches.some(({ isSide }) => !isSide);
  if (hasSubject) {
    const last = earlier.flatMap(({ records }) => records.toReversed()).find(({ name }) => registry.ofTool(name));
    const names = last ? namesOf(last.outcome) : [];
    const isMeant = THEM.test(text) || (names.length === 1 && IT.test(text));
    return withNames(text, isMeant ? names : []);
  }
  if (!leansOnEarlier(text)) return text;
  for (const turn of earlier) {
    const record = turn.records.find(({ name }) => domain.mcp_tools.includes(name));
    const asked = record && Object.values(record.arguments).find((value) => typeof value === 'string');
    if (asked) return `${asked} (${text})`;
  }
  return text;
}

function withNames(query: string, names: readonly string[]): string {
  return names.length > 0 ? `${query} (${names.join(', ')})` : query;
}

/** The names in the first column that holds any. */
function namesOf(outcome: Outcome): string[] {
  const rows = 'result' in outcome ? rowsOf(outcome.result) : [];
  const column = Object.keys(rows[0] ?? {}).find((key) => isName(rows[0]?.[key]));
  return column === undefined ? [] : [...new Set(rows.map((row) => row[column]).filter(isName))].slice(0, MAX_NAMES);
}

/** Sorts the domains by where the question first mentions them. */
function byMention(text: string, domains: readonly Domain[], registry: Registry): Domain[] {
  const { chosen } = scoreDomains(text, registry.terms);
  const placeOf = ({ name }: Domain) => {
    const score = chosen.find(({ index }) => registry.domains[index]?.name === name);
    return Math.min(...(score?.evidence.map(({ word }) => word.start) ?? []), text.length);
  };
  return domains.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Domains that can be asked now. Unreachable ones are not advertised. */
function reachableDomains(turn: DataTurn): readonly Domain[] {
  return turn.registry.domains.filter((domain) => askTool(domain, (name) => isOffered(turn, name)) !== undefined);
}

function declineText(decision: RoutingDecision, domains: readonly Domain[]): string {
  const list = domains.map(
    (domain) => `- ${domain.display_name}: ${domain.capabilities.slice(0, 5).join('; ') || domain.description}`,
  );
  if (list.length === 0) return 'None of my data can be reached right now. Please ask again later.';
  const subjects = `I can answer questions about:\n${list.join('\n')}`;
  if (decision.clarification_needed) return `Which of these do you mean? ${subjects}`;
  if (asksForForecast(decision.user_query)) {
    return `I can't look into the future: I only report what the data shows. ${subjects}`;
  }
  return `I can't help with that. ${subjects}`;
}
