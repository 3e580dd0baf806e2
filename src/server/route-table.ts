import { operations } from './operations.ts';

/** The methods that a path takes; none for a path that does not exist. */
export function findMethods(path: string): string[] {
  return operations.filter((route) => toPattern(route.path).test(path)).map((route) => route.method);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
