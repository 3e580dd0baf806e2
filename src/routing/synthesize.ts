import type { Outcome } from '../builtin/conversation.ts';
import type { Domain } from '../schema/domain.ts';
import { type Json, parseJson } from '../schema/json.ts';
import { describeProblem } from './describe-problem.ts';
import { isName } from './find-names.ts';
import { describeOnlyInParts } from './only-in-parts.ts';
import { type ResultTable, readResultTables } from './result-tables.ts';
import { describeUnheard } from './unheard.ts';
import { writeTable } from './write-table.ts';

/** What came back for one domain; no outcome when it could not even be asked. */
export interface DomainOutcome {
  domain: Domain;
  outcome?: Outcome;
  /** What it was asked. */
  query?: string;
}

const MAX_SHARED_NAMES = 3;
/** Names the question that was answered where a part of the one that was asked could not be. */
export const INSTEAD = 'This answers: ';

/**
 * One answer out of what the domains returned: what of the question it does not rest on, words, figures, then what is
 * missing and what to ask next.
 */
export function synthesize(
  outcomes: readonly DomainOutcome[],
  { suggestions, unheard, inParts = [], notes = [] }: Remarks,
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
    ...(answered.length === 0 ? ['I could not get an answer from the data.'] : []),
    ...(unheard.length + inParts.length > 0 ? [noteOf({ unheard, inParts }, answered)] : []),
    ...sentences,
    ...sharedNames(answered.map(({ table }) => table)),
    ...tables,
    ...notes,
    ...problems,
    ...(answered.length > 0 && suggestions.length > 0
      ? [`**Suggested next steps**\n\n${suggestions.map((text) => `- ${text}`).join('\n')}`]
      : []),
  ];
  return parts.join('\n\n');
}

interface Remarks {
  suggestions: readonly string[];
  unheard: readonly string[];
  /** What the answers are told apart by that have no figure for the whole. */
  inParts?: readonly string[];
  /** About the data itself, such as values that are missing. */
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

/** Which words were left out, what is not given as a whole, and which question was answered instead. */
function noteOf(
  { unheard, inParts }: Required<Pick<Remarks, 'unheard' | 'inParts'>>,
  answered: readonly Answered[],
): string {
  const questions = answered.flatMap(({ table }) => table.answers ?? []);
  const instead = questions.length > 0 ? ` ${INSTEAD}${questions.map(endQuestion).join(' ')}` : '';
  const remarks = [...(unheard.length > 0 ? [describeUnheard(unheard)] : []), ...describeOnlyInParts(inParts)];
  return `${remarks.join(' ')}${instead}`;
}

function endQuestion(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Of a result that was cut because it was too long, the answer in words is still there. */
function salvage(result: Json): Json {
  const words = typeof result === 'string' && /^\{.{0,600}?"answer":("(?:[^"\\]|\\.)*")/s.exec(result)?.[1];
  const answer = words && parseJson(words);
  return typeof answer === 'string' && answer !== '' ? { answer, rows: [] } : result;
}

/** The tool's own sentence, with its domain where there are several. */
function sayOf(domain: Domain, { prose, rows }: ResultTable, isSeveral: boolean): string {
  const plain = prose.trim() || (rows.length === 0 ? 'Nothing was found.' : 'Here is what the data shows.');
  return isSeveral ? `From ${domain.display_name}: ${plain}` : plain;
}

/** What several domains speak of is what people want to see first. */
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
