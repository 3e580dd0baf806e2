import type { DatabaseSync } from 'node:sqlite';
import {
  guessAggregate,
  guessGood,
  guessKey,
  guessLabel,
  guessUnit,
  IS_ID,
  measureWords,
  nounOf,
  wordsOf,
} from './guess.ts';
import type { ColumnProfile, TableProfile } from './profile-table.ts';

/** A space file to be written as YAML. */
export interface DraftedModel {
  tables: Record<string, DraftedTable>;
  measures: Record<string, Record<string, unknown>>;
  dimensions: Record<string, { columns: string[] }>;
  filters: Record<string, Record<string, unknown>>;
}
interface DraftedTable {
  file: string;
  key?: string;
  label?: string;
  time?: string;
  joins?: string[];
}

/** A dimension has few values beside many rows. */
const MAX_VALUES = 60;

/** Drafts a model from the columns of CSV files: keys, joins by equal names, measures, dimensions and dates. */
export function draftModel(profiles: readonly TableProfile[], database: DatabaseSync): DraftedModel {
  const keys = new Map(profiles.map((profile) => [profile.name, guessKey(profile)]));
  const joins = profiles.map((profile) => ({ profile, joined: findJoins(profile, keys, { profiles, database }) }));
  const draft: DraftedModel = { tables: {}, measures: {}, dimensions: {}, filters: {} };
  for (const { profile, joined } of joins) {
    const isReferred = joins.some((other) => other.joined.includes(profile.name));
    draft.tables[profile.name] = draftTable(profile, { key: keys.get(profile.name), joined, isReferred });
    const used = new Set([keys.get(profile.name), ...joined.map((to) => keys.get(to))]);
    for (const column of profile.columns.filter(({ name }) => !used.has(name))) addColumn(draft, profile, column);
  }
  return draft;
}

interface TableFacts {
  key: string | undefined;
  joined: string[];
  isReferred: boolean;
}

function draftTable(profile: TableProfile, { key, joined, isReferred }: TableFacts): DraftedTable {
  const label =
    isReferred || profile.columns.every(({ kind }) => kind === 'text') ? guessLabel(profile, key) : undefined;
  const time = guessTime(profile);
  return {
    file: profile.file,
    ...(key !== undefined && { key }),
    ...(label !== undefined && key !== undefined && { label }),
    ...(time !== undefined && !(isReferred && label !== undefined) && { time }),
    ...(joined.length > 0 && { joins: joined }),
  };
}

/** The date that periods apply to: a column named date or like the table first, then the first one. */
function guessTime({ columns, name }: TableProfile): string | undefined {
  const dates = columns.filter(({ kind, missing }) => (kind === 'day' || kind === 'month') && missing === 0);
  const noun = nounOf(name).replaceAll(' ', '_');
  const wanted = [`${noun}_date`, 'date', 'day', 'month', 'created_at', 'created'];
  const named = wanted.flatMap((one) => dates.find((column) => column.name.toLowerCase() === one) ?? [])[0];
  return (named ?? dates[0])?.name;
}

/** A column with the name of another table's key, whose values are there. */
function findJoins(
  profile: TableProfile,
  keys: ReadonlyMap<string, string | undefined>,
  { profiles, database }: { profiles: readonly TableProfile[]; database: DatabaseSync },
): string[] {
  const joins: string[] = [];
  for (const other of profiles) {
    const key = keys.get(other.name);
    if (key === undefined || other === profile || key.toLowerCase() === 'id') continue;
    const column = profile.columns.find(({ name }) => name === key);
    if (!column || keys.get(profile.name) === key) continue;
    const known = database
      .prepare(`SELECT count(*) AS count FROM "${profile.name}" t JOIN "${other.name}" o ON o."${key}" = t."${key}"`)
      .get();
    if (Number(known?.count) > 0) joins.push(other.name);
  }
  return joins;
}

function addColumn(draft: DraftedModel, profile: TableProfile, column: ColumnProfile): void {
  const words = measureWords(column.name);
  const place = `${profile.name}.${column.name}`;
  if (column.kind === 'flag') addFlag(draft, words, place);
  else if (column.kind === 'number') {
    if (IS_ID.test(column.name) || isYear(column)) return;
    const good = guessGood(column.name);
    const name = freeName(draft.measures, words, profile);
    draft.measures[name] = {
      [guessAggregate(column)]: place,
      unit: guessUnit(column, profile),
      ...(good !== undefined && { good }),
    };
  } else if (column.kind === 'text') addDimension(draft, profile, column);
}

function addFlag(draft: DraftedModel, words: string, place: string): void {
  const adjective = words.replace(/^(?:is|has|was) /, '');
  draft.measures[`${adjective} rate`] = { share: place, unit: 'percent' };
  draft.filters[adjective] = { columns: [place], is: 1 };
}

/** A column of the same name in several tables is one dimension. */
function addDimension(draft: DraftedModel, profile: TableProfile, column: ColumnProfile): void {
  const { distinct } = column;
  const isLabel = draft.tables[profile.name]?.label === column.name;
  const isRepeated = distinct < profile.rows && distinct <= Math.max(3, profile.rows * 0.5);
  const isFew = distinct > 1 && distinct <= MAX_VALUES && isRepeated;
  if (isLabel || !isFew || IS_ID.test(column.name)) return;
  const words = wordsOf(column.name);
  const place = `${profile.name}.${column.name}`;
  const known = draft.dimensions[words];
  if (known) known.columns.push(place);
  else draft.dimensions[words] = { columns: [place] };
}

/** Two tables may have a column of the same name: the second one gets its table's noun in front. */
function freeName(measures: DraftedModel['measures'], words: string, profile: TableProfile): string {
  return Object.hasOwn(measures, words) ? `${nounOf(profile.name)} ${words}` : words;
}

function isYear({ name, min, max }: ColumnProfile): boolean {
  return /year/i.test(name) && typeof min === 'number' && min > 1000 && typeof max === 'number' && max < 3000;
}
