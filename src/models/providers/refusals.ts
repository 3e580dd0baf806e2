/** Parameters that providers refused, by endpoint and model. The process has one instance. */
export interface Refusals {
  read(endpoint: string, model: string): ReadonlySet<string>;
  add(endpoint: string, model: string, names: ReadonlySet<string>): void;
}

export function createRefusals(): Refusals {
  const known = new Map<string, Set<string>>();
  const keyOf = (endpoint: string, model: string) => `${endpoint} ${model}`;
  return {
    read: (endpoint, model) => known.get(keyOf(endpoint, model)) ?? new Set(),
    add(endpoint, model, names) {
      const key = keyOf(endpoint, model);
      known.set(key, new Set([...(known.get(key) ?? []), ...names]));
    },
  };
}
