import type { DataVocabulary, MeasureWords } from '../schema/data-query.ts';
import type { SpaceView } from './model/merge-models.ts';
import type { Measure, SpaceModel } from './model/model.ts';

/** The words of several spaces for measures, values and named conditions. */
export function vocabularyOf(views: readonly SpaceView[]): DataVocabulary {
  const models = views.map(({ model }) => model);
  return {
    measures: models.flatMap((model) => [...model.measures.values()].map((measure) => toMeasureWords(measure, model))),
    values: views.flatMap(({ model, facts }) =>
      [...model.dimensions.values()].flatMap((dimension) =>
        (facts.values.get(dimension.name) ?? []).map((value) => ({
          dimension: dimension.name,
          value,
          words: [value, ...(dimension.values[value] ?? [])],
        })),
      ),
    ),
    filters: models.flatMap(({ filters }) =>
      [...filters.values()].map(({ name, synonyms, opposite, say }) => ({
        name,
        words: [...new Set([name, ...synonyms, ...(say === undefined ? [] : [say.replace(/\s*\(.*/, '')])])],
        opposite,
      })),
    ),
    dimensions: models.flatMap(({ dimensions }) =>
      [...dimensions.values()].map(({ name, entity, synonyms }) => ({
        name,
        words: [...new Set([name, ...synonyms, ...wordsOf(entity, models)])],
      })),
    ),
    ranges: views.flatMap(({ facts }) => [...facts.ranges.values()]),
    today: [...new Set(views.map(({ facts }) => facts.today))],
  };
}

/** The words for the rows of an entity. */
function wordsOf(entity: string | undefined, models: readonly SpaceModel[]): readonly string[] {
  return models.flatMap(({ tables }) => tables.get(entity ?? '')?.synonyms ?? []);
}

function toMeasureWords(measure: Measure, model: SpaceModel): MeasureWords {
  const { name, synonyms, highest, lowest, kind, unit, currency, good, isRowCount } = measure;
  const words = isRowCount ? [name, unit] : [...new Set([name, ...synonyms, ...highest, ...lowest])];
  const isAverage = kind === 'average' || kind === 'share' || kind === 'ratio';
  const rows = [...model.measures.values()].find((one) => one.isRowCount && one.table === measure.table)?.name;
  return { name, words, unit: currency ?? unit, rows, filters: filtersOf(measure, model), isAverage, good };
}

/** The named conditions on the columns that the measure itself is defined by. */
function filtersOf({ table, expressions, where }: Measure, { filters }: SpaceModel): string[] {
  const own = [...expressions, ...Object.keys(where)].map((column) => `${table}.${column}`);
  return [...filters.values()].flatMap(({ name, columns }) =>
    columns?.some((column) => own.includes(column)) ? [name] : [],
  );
}
