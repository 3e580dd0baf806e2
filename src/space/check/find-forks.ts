import type { SpaceModel } from '../model/model.ts';
import { resolveDimension } from '../model/resolve.ts';

/** Dimensions that a table reaches in two ways, such as the location that goods come from and the one they go to. */
export function findForks(model: SpaceModel): string[] {
  const tables = [...new Set([...model.measures.values()].map(({ table }) => table))];
  return tables.flatMap((table) =>
    [...model.dimensions.keys()].flatMap((dimension) => {
      const resolved = resolveDimension(model, table, dimension);
      if (!resolved || !('ambiguous' in resolved)) return [];
      const ways = resolved.ambiguous.join(' or ');
      return [`tables.${table}: ${dimension} may be ${ways}; a question must name the one that it means`];
    }),
  );
}
