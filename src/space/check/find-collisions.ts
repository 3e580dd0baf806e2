import type { SpaceView } from '../model/merge-models.ts';
import type { SpaceModel } from '../model/model.ts';
import { toSingular } from '../model/nouns.ts';

/** Words of questions that a value or a name must not be mistaken for. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'top bottom new old first last next most least more less fewer best worst high low highest lowest each every all any ' +
    'no not none other total average mean sum count number share percent rate per by and or than over under between ' +
    'since until before after today yesterday week month quarter year day now current open'
  ).split(' '),
);

interface Claim {
  word: string;
  by: string;
}

/** Words that mean several things in a model. Each of them makes a question ambiguous or is read in the wrong sense. */
export function findCollisions({ model, facts }: SpaceView): string[] {
  const names = claimsOf(model);
  return [...findSharedNames(names), ...findValueCollisions(names, facts.values)];
}

/** Every full name with the thing that it stands for. */
function claimsOf({ measures, dimensions, filters, tables }: SpaceModel): Claim[] {
  const claim = (by: string, words: readonly string[]) => words.map((word) => ({ word: spoken(word), by }));
  return [
    ...[...measures.values()].flatMap(({ name, isRowCount }) => (isRowCount ? [] : claim(`measures.${name}`, [name]))),
    ...[...dimensions.values()].flatMap(({ name, entity }) =>
      entity === undefined ? claim(`dimensions.${name}`, [name]) : [],
    ),
    ...[...filters.values()].flatMap(({ name }) => claim(`filters.${name}`, [name])),
    ...[...tables.values()].flatMap(({ name, noun }) => claim(`tables.${name}`, [noun])),
  ];
}

const spoken = (word: string) => word.toLowerCase().split(' ').map(toSingular).join(' ');

function findSharedNames(claims: readonly Claim[]): string[] {
  return [...Map.groupBy(claims, ({ word }) => word)].flatMap(([word, list]) => {
    const owners = [...new Set(list.map(({ by }) => by))];
    return owners.length > 1 ? [`"${word}" is a name of ${owners.join(' and of ')}; keep it for one of them`] : [];
  });
}

function findValueCollisions(names: readonly Claim[], values: SpaceView['facts']['values']): string[] {
  const all = [...values].flatMap(([dimension, list]) => list.map((value) => ({ dimension, value })));
  const claims = Map.groupBy(names, ({ word }) => word);
  const clashes = all.flatMap(({ dimension, value }) => {
    const word = spoken(value);
    const where = `dimensions.${dimension}: the value "${value}"`;
    if (QUESTION_WORDS.has(word))
      return [`${where} is also a word of questions; ask for it as "${dimension} ${value}"`];
    const others = (claims.get(word) ?? []).map(({ by }) => by).filter((by) => by !== `dimensions.${dimension}`);
    return others.length > 0 ? [`${where} is also a name of ${[...new Set(others)].join(', ')}`] : [];
  });
  return [...clashes, ...findSharedValues(all)];
}

/** Values of several dimensions, each pair of dimensions once. */
function findSharedValues(all: readonly { dimension: string; value: string }[]): string[] {
  const shared = [...Map.groupBy(all, ({ value }) => spoken(value)).values()].flatMap((list) => {
    const dimensions = [...new Set(list.map(({ dimension }) => dimension))].toSorted();
    return dimensions.length > 1 ? [{ dimensions: dimensions.join(' and of '), value: list[0]?.value ?? '' }] : [];
  });
  return [...Map.groupBy(shared, ({ dimensions }) => dimensions)].map(([dimensions, list]) => {
    const shown = list.slice(0, 3).map(({ value }) => `"${value}"`);
    const more = list.length > 3 ? ` and ${list.length - 3} more` : '';
    return `${shown.join(', ')}${more}: values of ${dimensions}; a question must name the one that it means`;
  });
}
