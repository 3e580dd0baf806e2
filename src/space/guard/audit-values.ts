import type { SpaceModel } from '../model/model.ts';
import { type AuditedPart, conditionsOf, type Finding, unsure, wrong } from './finding.ts';

/** Every value of the data that the question names must be a condition, and every condition must be named. */
export function auditValues(text: string, parts: readonly AuditedPart[], isEdit: boolean): Finding[] {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}+&]+/gu, ' ')} `;
  const used = parts.flatMap(({ query }) => conditionsOf(query).flatMap(({ filters }) => filters));
  const usedTexts = used.flatMap(({ values }) => values.map(flat));
  const names = parts.flatMap((part) => wordsOfQuery(part)).map(flat);
  const all = new Set(parts.flatMap(({ facts }) => [...facts.values.values()].flat()));
  const said = [...all]
    .map(flat)
    .filter((value) => value.length > 2 && (plain.includes(` ${value} `) || plain.includes(` ${value}s `)));
  // "Crossbody bags" is the plural of a name, and no word about the category Bags.
  const isInside = (value: string, other: string) =>
    [other, `${other}s`].some((form) => ` ${form} `.includes(` ${value} `));
  const longest = said.filter((value) => !said.some((other) => other !== value && isInside(value, other)));
  // "West End" is the beginning of a name that is used, not the region West.
  const begun = usedTexts
    .flatMap((value) => beginningsOf(value))
    .filter((part) => part.includes(' ') && plain.includes(` ${part} `));
  const isOfName = (value: string, list: readonly string[]) => list.some((name) => ` ${name} `.includes(` ${value} `));
  const dropped = longest.filter(
    (value) => !usedTexts.includes(value) && !isOfName(value, names) && !isOfName(value, begun),
  );
  const invented = used.flatMap(({ dimension, values }) =>
    values
      .filter((value) => !isSaid(plain, { dimension, value }, parts))
      .map((value) => ({ value, isPart: isPartSaid(plain, { dimension, value }, parts) })),
  );
  return [
    ...dropped.map((value) => wrong(`"${value}" is not a condition of the query`)),
    ...(isEdit ? [] : invented).flatMap(({ value, isPart }) =>
      isPart ? [] : [wrong(`the question does not name ${value}`)],
    ),
    ...(invented.some(({ isPart }) => isPart) ? [unsure('only a part of a name is said')] : []),
  ];
}

function beginningsOf(value: string): string[] {
  const words = value.split(' ');
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '));
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+&]+/gu, ' ')
    .trim();
}

function wordsOfQuery({ query, model }: AuditedPart): string[] {
  const measures = query.measures.flatMap(({ name, among }) => {
    const measure = model.measures.get(name);
    const tables = [measure?.table, among].map((table) => {
      const found = model.tables.get(table ?? '');
      return [...(found?.names ?? []), ...(found?.short ?? [])];
    });
    return [
      name,
      ...(measure?.names ?? []),
      ...(measure?.short ?? []),
      ...(measure?.high ?? []),
      ...(measure?.low ?? []),
      ...tables.flat(),
    ];
  });
  const filters = conditionsOf(query).flatMap(({ named }) =>
    named.flatMap(({ name }) => [
      ...(model.filters.get(name)?.names ?? []),
      ...(model.filters.get(name)?.opposite ?? []),
    ]),
  );
  const dimensions = query.dimensions.flatMap((name) => [name, ...(model.dimensions.get(name)?.names ?? [])]);
  const values = conditionsOf(query).flatMap(({ filters: list }) =>
    list.flatMap(({ dimension, values: own }) =>
      own.flatMap((value) => [dimension, ...synonymsOf(model, dimension, value)]),
    ),
  );
  return [...measures, ...filters, ...dimensions, ...values];
}

function synonymsOf(model: SpaceModel, dimension: string, value: string): readonly string[] {
  const plain =
    model.dimensions.get(dimension) ??
    [...model.dimensions.values()].find(({ name }) => dimension.endsWith(` ${name}`));
  const found = plain ?? [...model.dimensions.values()].find(({ role }) => role === dimension);
  return [...(found?.values[value] ?? []), ...(found?.widening[value] ?? [])];
}

/** "Hillside" for Hillside Store, "boots" for Aspen Boots: the beginning or the end of a name. */
function isPartSaid(
  plain: string,
  { dimension, value }: { dimension: string; value: string },
  parts: readonly AuditedPart[],
): boolean {
  const isEntity = parts.some(({ model }) =>
    [...model.dimensions.values()].some(
      ({ name, role, entity }) => entity !== undefined && (name === dimension || role === dimension),
    ),
  );
  const words = flat(value).split(' ');
  const ends = words.slice(1).flatMap((_, at) => [words.slice(0, at + 1), words.slice(at + 1)]);
  return isEntity && ends.some((part) => hasWord(plain, part.join(' ')));
}

function isSaid(
  plain: string,
  { dimension, value }: { dimension: string; value: string },
  parts: readonly AuditedPart[],
): boolean {
  const words = [value, ...parts.flatMap(({ model }) => synonymsOf(model, dimension, value))].map(flat);
  // "Aged 18 to 24" is the value 18-24.
  const ranges = words.flatMap((word) => {
    const [, low, high] = /^(\d+) (\d+)$/.exec(word) ?? [];
    return low === undefined ? [] : [`${low} to ${high}`, `${low} and ${high}`];
  });
  return [...words, ...ranges].some((word) => hasWord(plain, word));
}

/** The word itself, its plural or its singular. */
function hasWord(plain: string, word: string): boolean {
  const forms = [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies'), word.replace(/s$/, '')];
  return forms.some((form) => plain.includes(` ${form} `));
}
