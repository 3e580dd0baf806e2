import type { DataVocabulary, MeasureWords } from '../schema/data-query.ts';
import type { Measure, SpaceModel } from './model/model.ts';
import type { SpaceView } from './question/words/lexicon.ts';

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
          words: [value, ...(dimension.values[value] ?? []), ...(dimension.widening[value] ?? [])],
        })),
      ),
    ),
    filters: models.flatMap(({ filters }) =>
      [...filters.values()].map(({ name, names, short, opposite }) => ({
        name,
        words: [...new Set([name, ...names, ...short])],
        opposite,
      })),
    ),
    dimensions: models.flatMap(({ dimensions }) =>
      [...dimensions.values()].map(({ name, names }) => ({ name, words: [...new Set([name, ...names])] })),
    ),
    ranges: views.flatMap(({ facts }) => [...facts.ranges.values()]),
    today: [...new Set(views.map(({ facts }) => facts.today))],
  };
}

function toMeasureWords(measure: Measure, model: SpaceModel): MeasureWords {
  const { name, names, short, high, low, kind, unit, currency, good, isRowCount } = measure;
  const words = isRowCount ? [name, unit] : [...new Set([name, ...names, ...short, ...high, ...low])];
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
