import type { Outcome } from '../../builtin/conversation.ts';
import { formatCell } from '../../schema/column-format.ts';
import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { Domain } from '../../schema/domain.ts';
import { type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import { isName } from '../check/find-names.ts';
import { type ResultTable, readResultTables } from '../check/result-tables.ts';

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
  const joined = isSeveral ? joinTables(answered) : undefined;
  const sentences = joined ? [] : answered.map(({ domain, table }) => sayOf(domain, table, isSeveral));
  const tables = answered.flatMap(({ domain, table }) => {
    const written = writeTable(table);
    return written ? [isSeveral ? `**${domain.display_name}**\n\n${written}` : written] : [];
  });
  const parts = [
    ...(lead === undefined ? [] : [lead]),
    ...(answered.length === 0 ? ['I could not get an answer from the data.'] : []),
    ...sentences,
    ...sharedNames(answered.map(({ table }) => table)),
    ...(joined ? [joined] : tables),
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

/** Domains with one row each are one table: a line for each figure, with its value before beside it. */
function joinTables(answered: readonly Answered[]): string | undefined {
  if (answered.length < 2 || answered.some(({ table }) => table.rows.length !== 1)) return undefined;
  const lines = answered.flatMap(({ domain, table }) => {
    const [row = {}] = table.rows;
    return Object.keys(row).flatMap((column) => {
      if (/_(?:before|change|change_in_percent)$/.test(column)) return [];
      const cells = [column, `${column}_before`, `${column}_change_in_percent`].map((name) =>
        name in row ? toCell(row[name], formatCell(row[name], table.formats.get(name))) : '',
      );
      return [[toLabel(column), ...cells, domain.display_name]];
    });
  });
  const heads = ['Figure', 'Value', 'Before', 'Change', 'From'];
  const used = heads.map((_, at) => lines.some((line) => line[at] !== ''));
  const rule = ['---', '---:', '---:', '---:', '---'];
  return [heads, rule, ...lines].map((line) => `| ${line.filter((_, at) => used[at]).join(' | ')} |`).join('\n');
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

export const FAILED = 'could not answer: ';

/** Explains in one sentence why a domain is missing from an answer. Empty if it is not missing. */
function describeProblem({ domain, outcome }: { domain: Domain; outcome?: Outcome }): string[] {
  const name = domain.display_name;
  if (!outcome) return [`${name} cannot be reached right now, so it is missing from this answer.`];
  return 'error' in outcome ? [sentenceFor(name, outcome.error)] : [];
}

function sentenceFor(name: string, error: ToolError): string {
  switch (error.error_type) {
    case 'PermissionDenied':
    case 'UnauthorizedError':
      return `You do not have permission to see ${name}, so it is missing from this answer.`;
    case 'Timeout':
      return `${name} did not answer in time, so it is missing from this answer.`;
    default:
      return /not reachable|cannot be reached|closed the connection|did not start/i.test(error.message)
        ? `${name} cannot be reached right now, so it is missing from this answer.`
        : `${name} ${FAILED}${endSentence(error.message)}`;
  }
}

/** Only the first line of an error message is shown to users. */
export function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.trim() ?? '';
}

function endSentence(text: string): string {
  const short = firstLine(text);
  return /[.!?"]$/.test(short) ? short : `${short}.`;
}

const MAX_ROWS = 50;
const MAX_COLUMNS = 6;
const MAX_CELL_CHARS = 60;

/** Writes several rows as a small table. Of many columns, those with the same value in every row are left out. */
function writeTable({ rows, formats }: ResultTable): string | undefined {
  if (rows.length < 2) return undefined;
  const all = Object.keys(rows[0] ?? {}).filter((column) => isWorthShowing(rows, column));
  // The winner of every group may be the same one, which is the answer.
  const columns = (all.length > MAX_COLUMNS ? all.filter((column) => isVaried(rows, column)) : all).slice(
    0,
    MAX_COLUMNS,
  );
  if (columns.length < 2) return undefined;
  const shown = rows.slice(0, MAX_ROWS);
  const lines = [
    columns.map(toLabel),
    columns.map((column) => (typeof rows[0]?.[column] === 'number' ? '---:' : '---')),
    ...shown.map((row) => columns.map((column) => toCell(row[column], formatCell(row[column], formats.get(column))))),
  ];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return rows.length > shown.length ? `${table}\n\nThe first ${MAX_ROWS} of ${rows.length} rows are shown.` : table;
}

function isWorthShowing(rows: readonly JsonObject[], column: string): boolean {
  const values = rows.map((row) => row[column]);
  const isId = /(?:^|_)id$/i.test(column);
  const isLong = values.some((value) => typeof value === 'string' && value.length > MAX_CELL_CHARS);
  return !isId && !isLong && values.some((value) => value !== null);
}

function isVaried(rows: readonly JsonObject[], column: string): boolean {
  return rows.some((row) => row[column] !== rows[0]?.[column]);
}

function toLabel(column: string): string {
  const words = column.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toCell(value: Json | undefined, text: string): string {
  return typeof value === 'string' ? text.replaceAll('|', '\\|').replace(/\s+/g, ' ') : text;
}
