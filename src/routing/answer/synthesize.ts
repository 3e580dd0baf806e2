import type { Outcome } from '../../builtin/conversation.ts';
import type { Domain } from '../../schema/domain.ts';
import { type Json, parseJson } from '../../schema/json.ts';
import { isName } from '../check/find-names.ts';
import { type ResultTable, readResultTables } from '../check/result-tables.ts';
import { describeProblem } from './describe-problem.ts';
import { writeTable } from './write-table.ts';

/** The outcome for one domain; `outcome` is absent if the domain could not be asked. */
export interface DomainOutcome {
  domain: Domain;
  outcome?: Outcome;
}

const MAX_SHARED_NAMES = 3;

/** Builds an answer from the results of the domains: what was computed, text, tables, missing domains and suggestions. */
export function synthesize(
  outcomes: readonly DomainOutcome[],
  { suggestions, notes = [], lead, other = [] }: Remarks,
): string {
  const answered = outcomes.flatMap(toAnswered);
  const problems = outcomes.flatMap(describeProblem);
  const isSeveral = outcomes.length > 1;
  const sentences = answered.map(({ domain, table }) => sayOf(domain, table, isSeveral));
  const tables = answered.flatMap(({ domain, table }) => {
    const written = writeTable(table);
    return written ? [isSeveral ? `**${domain.display_name}**\n\n${written}` : written] : [];
  });
  const parts = [
    ...(lead === undefined ? [] : [lead]),
    ...(answered.length === 0 ? ['I could not get an answer from the data.'] : []),
    ...sentences,
    ...sharedNames(answered.map(({ table }) => table)),
    ...tables,
    ...notes,
    ...problems,
    ...other,
    ...(answered.length > 0 && suggestions.length > 0
      ? [`**Suggested next steps**\n\n${suggestions.map((text) => `- ${text}`).join('\n')}`]
      : []),
  ];
  return parts.join('\n\n');
}

interface Remarks {
  suggestions: readonly string[];
  /** The first line: what was computed. */
  lead?: string;
  /** Another way to read the question. */
  other?: readonly string[];
  /** Remarks about the data, such as missing values. */
  notes?: readonly string[];
}

interface Answered {
  domain: Domain;
  table: ResultTable;
}

function toAnswered({ domain, outcome }: DomainOutcome): Answered[] {
  if (!outcome || 'error' in outcome) return [];
  const result = salvage(outcome.result);
  const call = { id: domain.name, name: domain.name, arguments: {}, state: 'completed' as const, result };
  return readResultTables([call]).map((table) => ({ domain, table }));
}

/** Recovers the text of a result that was cut because it was too long. */
function salvage(result: Json): Json {
  const words = typeof result === 'string' && /^\{.{0,600}?"answer":("(?:[^"\\]|\\.)*")/s.exec(result)?.[1];
  const answer = words && parseJson(words);
  return typeof answer === 'string' && answer !== '' ? { answer, rows: [] } : result;
}

/** The tool's own sentence; with several domains, the domain's name comes first. */
function sayOf(domain: Domain, { prose, rows }: ResultTable, isSeveral: boolean): string {
  const plain = prose.trim() || (rows.length === 0 ? 'Nothing was found.' : 'Here is what the data shows.');
  return isSeveral ? `From ${domain.display_name}: ${plain}` : plain;
}

/** Names that occur in the results of all domains are the most interesting, so the answer lists them first. */
function sharedNames(tables: readonly ResultTable[]): string[] {
  const [first, ...others] = tables.map(
    ({ rows }) => new Set(rows.flatMap((row) => Object.values(row).filter(isName))),
  );
  if (!first || others.length === 0) return [];
  const shared = [...first].filter((name) => /\s/.test(name) && others.every((names) => names.has(name)));
  if (shared.length === 0) return [];
  const lists = `${others.length > 1 ? 'all' : 'both'} lists${shared.length > MAX_SHARED_NAMES ? ', among others' : ''}`;
  return [`In ${lists}: ${shared.slice(0, MAX_SHARED_NAMES).join(', ')}.`];
}
