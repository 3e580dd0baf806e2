import { type Dimension, joinKey, type ModelJoin, type SpaceModel } from './model.ts';

/** The place of a dimension as seen from a table: the joins that lead to it, and its column. */
export interface Place {
  path: readonly ModelJoin[];
  table: string;
  column: string;
  /** The key of an entity. Groups are made by it, and shown by the column. */
  key?: string | undefined;
}

export type Resolved = { place: Place } | { ambiguous: readonly string[] } | undefined;

const MAX_HOPS = 2;

/** Finds the nearest home of a dimension. Several roles that lead there equally near are ambiguous. */
export function resolveDimension(model: SpaceModel, table: string, name: string): Resolved {
  const { dimension, role } = findDimension(model, name);
  if (!dimension) return undefined;
  const wanted = dimension.role ?? role;
  const found = dimension.homes
    .flatMap((home) => findPaths(model, table, home.table).map((path) => ({ home, path })))
    .filter(({ path }) => wanted === undefined || path.some((join) => join.role === wanted))
    .toSorted((a, b) => a.path.length - b.path.length);
  const [first] = found;
  if (!first) return undefined;
  const rivals = found.filter(({ path }) => path.length === first.path.length);
  if (rivals.length > 1) return { ambiguous: rivals.map(({ path }) => path.at(-1)?.role ?? '') };
  return { place: toPlace(model, dimension, first) };
}

/** "destination region" is the region at the end of the join named destination. */
export function findDimension(model: SpaceModel, name: string): { dimension?: Dimension | undefined; role?: string } {
  const dimension = model.dimensions.get(name);
  if (dimension) return { dimension };
  const [role = '', ...rest] = name.split(' ');
  const isRole = [...model.tables.values()].some(({ joins }) => joins.some((join) => join.role === role));
  return isRole ? { dimension: model.dimensions.get(rest.join(' ')), role } : {};
}

/** True if every row of the first table belongs to one row of the second. */
export function canReach(model: SpaceModel, from: string, to: string): boolean {
  return findPaths(model, from, to).length > 0;
}

export function findPaths(model: SpaceModel, from: string, to: string): readonly (readonly ModelJoin[])[] {
  if (from === to) return [[]];
  const paths: ModelJoin[][] = [];
  const walk = (table: string, path: readonly ModelJoin[]) => {
    for (const join of model.tables.get(table)?.joins ?? []) {
      const next = [...path, join];
      if (join.table === to) paths.push(next);
      else if (next.length < MAX_HOPS) walk(join.table, next);
    }
  };
  walk(from, []);
  return paths;
}

function toPlace(
  model: SpaceModel,
  dimension: Dimension,
  { home, path }: { home: Dimension['homes'][number]; path: readonly ModelJoin[] },
): Place {
  const key = dimension.entity ? model.tables.get(dimension.entity)?.key[0] : undefined;
  const last = path.at(-1);
  // The key of the entity is already a column of the row; only its label needs the join.
  return {
    path,
    table: home.table,
    column: home.column,
    ...(key !== undefined && { key: last ? joinKey(model, last) : key }),
  };
}
