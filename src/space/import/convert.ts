import { guessAggregate, guessLabel, guessUnit, nounOf, tableName, toPlural, wordsOf } from '../draft/guess.ts';
import type { ColumnProfile, TableProfile } from '../draft/profile-table.ts';
import type { Field, SemanticView, Table } from './semantic-view.ts';

type Entry = Record<string, unknown>;
type Entries = Record<string, Entry>;

interface Scope {
  table: Table;
  profile: TableProfile;
  used: Set<string>; // keys, labels, dates, and columns of measures
}

/** Converts columns, sums, averages, counts, ratios and simple conditions. `lost` names everything else. */
export function convertView(view: SemanticView, profiles: readonly TableProfile[]) {
  const [tables, measures, dimensions, filters]: [Entries, Entries, Entries, Entries] = [{}, {}, {}, {}];
  const lost: string[] = [];
  const scopes = view.tables.flatMap((table): Scope[] => {
    const profile = profiles.find(({ name }) => name === tableName(table.name));
    if (!profile) lost.push(`${table.name} (there is no ${tableName(table.name)}.csv)`);
    return profile ? [{ table, profile, used: new Set() }] : [];
  });
  const add = (entries: Entries, field: Field, entry: Entry | undefined, place = '') => {
    const name = wordsOf(field.name);
    const isTaken = [measures, dimensions, filters].some((known) => Object.hasOwn(known, name));
    if (!entry || isTaken || field.access_modifier === 'private_access') lost.push(place + field.name);
    else entries[name] = { ...entry, ...synonymsOf(field, name) };
  };
  for (const scope of scopes) {
    tables[scope.profile.name] = toTable(scope, scopes, view, lost);
    for (const metric of scope.table.metrics) add(measures, metric, toMeasure(metric, [scope]), `${scope.table.name}.`);
  }
  for (const metric of view.metrics) add(measures, metric, toMeasure(metric, scopes));
  for (const scope of scopes) {
    const { name, facts, measures: older, dimensions: fields, filters: conditions } = scope.table;
    const isNew = ({ expr }: Field) => !scope.used.has(columnOf(scope, expr)?.name ?? expr);
    for (const fact of [...facts, ...older].filter(isNew))
      add(measures, fact, toMeasure(asMetric(fact), [scope]), `${name}.`);
    for (const field of fields.filter(isNew)) {
      const column = columnOf(scope, field.expr);
      add(dimensions, field, column && { columns: [`${scope.profile.name}.${column.name}`] }, `${name}.`);
    }
    for (const filter of conditions) add(filters, filter, toFilter(filter, scope), `${name}.`);
  }
  return { tables, measures, dimensions, filters, lost };
}

function synonymsOf({ synonyms }: { synonyms: readonly string[] }, name: string): { synonyms?: string[] } {
  const words = [...new Set(synonyms)].filter((word) => word !== name);
  return words.length > 0 ? { synonyms: words } : {};
}

/** The column that a name stands for, as the CSV file writes it. */
function columnOf({ table, profile }: Scope, text: string): ColumnProfile | undefined {
  const [, owner, name] = /^(?:"?(\w+)"?\.)?"?(\w+)"?$/.exec(text.trim().toLowerCase()) ?? [];
  const isOwn = owner === undefined || owner === table.name;
  return isOwn ? profile.columns.find((column) => column.name.toLowerCase() === name) : undefined;
}

/** `table.column`, or several with + - * / between them. Facts are replaced by what they stand for. */
function expressionOf(scope: Scope, text: string): string | undefined {
  const parts = text.split(/\s*([-+*/])\s*/).map((part, at) => {
    const column = columnOf(scope, part);
    if (at % 2 === 1) return part;
    scope.used.add(column?.name ?? part);
    if (column) return !/number|flag/.test(column.kind) ? undefined : `${scope.profile.name}.${column.name}`;
    const fact = scope.table.facts.find(({ name }) => name === part.replace(/^\w+\./, '').toLowerCase());
    return fact && fact.expr !== text ? expressionOf(scope, fact.expr) : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join(' ');
}

const AGGREGATES: Entry = { SUM: 'sum', AVG: 'average', MIN: 'lowest', MAX: 'highest' };
const CALL = /^(SUM|AVG|MIN|MAX|COUNT)\s*\(\s*(DISTINCT\s+)?([^()]+?)\s*\)$/i;
const RATIO = /^SUM\s*\(([^()]+)\)\s*\/\s*(?:NULLIF\s*\(\s*)?SUM\s*\(([^()]+)\)(?:\s*,\s*0\s*\))?$/i;

function toMeasure({ name, expr }: Field, scopes: readonly Scope[]): Entry | undefined {
  const [, call = '', distinct, inner = ''] = CALL.exec(expr) ?? [];
  const [, ...terms] = RATIO.exec(expr) ?? [];
  const aggregate = distinct === undefined ? AGGREGATES[call.toUpperCase()] : undefined;
  for (const scope of scopes) {
    const [key = '', ...more] = scope.table.primary_key.columns;
    const isKey = more.length === 0 && columnOf(scope, inner) && columnOf(scope, inner) === columnOf(scope, key);
    const isRows = isKey || (inner === '*' && scopes.length === 1);
    if (/^count$/i.test(call) && isRows)
      return { count: scope.profile.name, unit: toPlural(nounOf(scope.profile.name)) };
    const ratio = terms.flatMap((text) => expressionOf(scope, text) ?? []);
    if (ratio.length === 2) return { ratio, unit: unitOf(name, scope, columnOf(scope, terms[0] ?? '')) };
    const place = aggregate && expressionOf(scope, inner);
    if (place) return { [String(aggregate)]: place, unit: unitOf(name, scope, columnOf(scope, inner)) };
  }
  return undefined;
}

/** A fact is summed, or averaged if its name is one of a rate. */
function asMetric(fact: Field): Field {
  const call = fact.default_aggregation ?? (guessAggregate({ name: fact.expr }) === 'average' ? 'avg' : 'sum');
  return { ...fact, expr: `${call}(${fact.expr})` };
}

/** The unit by the words of the column, or else of the measure. */
function unitOf(name: string, { profile }: Scope, column?: ColumnProfile): string {
  const own = column ? guessUnit(column, profile) : 'units';
  return own === 'units' ? guessUnit({ name, max: null }, profile) : own;
}

/** `status = 'Open'`, or a comparison of a column with a number. */
function toFilter({ expr }: Field, scope: Scope): Entry | undefined {
  const [, left = '', is, word, number] = /^([\w".]+)\s*(=|<=?|>=?)\s*(?:'([^']*)'|(-?[\d.]+))$/.exec(expr) ?? [];
  const column = columnOf(scope, left);
  const place = `${scope.profile.name}.${column?.name}`;
  if (column && is === '=') return { columns: [place], is: word ?? Number(number) };
  return column && number !== undefined ? { rows: `${place} ${is} ${number}` } : undefined;
}

function toTable(scope: Scope, scopes: readonly Scope[], view: SemanticView, lost: string[]): Entry {
  const { table, profile } = scope;
  const key = table.primary_key.columns.flatMap((column) => columnOf(scope, column)?.name ?? []);
  const [time, ...others] = table.time_dimensions;
  const timeName = columnOf(scope, time?.expr ?? '')?.name;
  lost.push(...others.map(({ name }) => `${table.name}.${name} (a table has one date)`));
  const joins: Entry = {};
  for (const join of view.relationships.filter(({ left_table: from }) => from === table.name)) {
    const to = scopes.find((other) => other.table.name === join.right_table);
    const by = columnOf(scope, join.relationship_columns[0]?.left_column ?? '')?.name;
    if (by !== undefined) scope.used.add(by);
    if (to && by !== undefined && join.relationship_columns.length === 1)
      joins[to.profile.name] = { table: to.profile.name, by };
    else lost.push(`relationship ${join.name}`);
  }
  const isReferred = view.relationships.some(({ right_table: to }) => to === table.name);
  const label = isReferred && key.length === 1 ? guessLabel(profile, key[0]) : undefined;
  for (const name of [...key, label ?? '', timeName ?? '']) scope.used.add(name);
  return {
    file: profile.file,
    ...(key.length > 0 && { key: key.length === 1 ? key[0] : key }),
    ...(label !== undefined && { label }),
    ...(timeName !== undefined && { time: timeName }),
    ...(Object.keys(joins).length > 0 && { joins }),
    ...synonymsOf(table, nounOf(profile.name)),
  };
}
