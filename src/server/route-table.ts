import { operations } from './openapi/operations.ts';

/** The methods that a path accepts; empty for a path that does not exist. */
export function findMethods(path: string): string[] {
  return operations.filter((route) => toPattern(route.path).test(path)).map((route) => route.method);
}

/** The route of a path, such as `/sessions/{id}`; undefined for a path that does not exist. */
export function findRoute(path: string): string | undefined {
  return operations.find((route) => toPattern(route.path).test(path))?.path;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
