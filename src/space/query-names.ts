import type { DataQuery } from '../schema/data-query.ts';
import type { SpaceView } from './model/merge-models.ts';
import { findDimension } from './model/resolve.ts';

const NEAREST = 5;

/** Checks the names and values of a query from outside; returns a sentence with the nearest ones for the first fault. */
export function checkNames(query: DataQuery, { model, facts }: SpaceView): string | undefined {
  const measures = [...query.measures.map(({ name }) => name), ...query.having.map(({ measure }) => measure)];
  const unknownMeasure = measures.find((name) => !model.measures.has(name));
  if (unknownMeasure !== undefined) return fault('measure', unknownMeasure, [...model.measures.keys()]);
  const filters = [...query.filters, ...(query.part?.filters ?? [])];
  const dimensions = [...query.dimensions, ...filters.map(({ dimension }) => dimension)];
  const unknownDimension = dimensions.find((name) => !findDimension(model, name).dimension);
  if (unknownDimension !== undefined) return fault('dimension', unknownDimension, [...model.dimensions.keys()]);
  const named = [...query.named, ...(query.part?.named ?? [])].find(({ name }) => !model.filters.has(name));
  if (named) return fault('condition', named.name, [...model.filters.keys()]);
  for (const { dimension, values } of filters) {
    const base = findDimension(model, dimension).dimension;
    const key =
      base?.role === undefined
        ? base?.name
        : [...model.dimensions.values()].find((one) => one.entity === base.entity && one.role === undefined)?.name;
    const known = facts.values.get(key ?? '') ?? [];
    const unknown = values.find((value) => !known.includes(value));
    if (unknown !== undefined) return fault(dimension, unknown, known);
  }
  return undefined;
}

function fault(what: string, name: string, known: readonly string[]): string {
  const near = known.toSorted((a, b) => likeness(b, name) - likeness(a, name)).slice(0, NEAREST);
  return `There is no ${what} "${name}". The nearest are: ${near.join(', ')}.`;
}

/** The number of shared pairs of letters. */
function likeness(a: string, b: string): number {
  const pairs = (text: string) =>
    new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2).toLowerCase()));
  const own = pairs(b);
  return [...pairs(a)].filter((pair) => own.has(pair)).length;
}
