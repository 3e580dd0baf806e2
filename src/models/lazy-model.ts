import type { Model } from './model.ts';

/** A model whose code is loaded with the first request: loading provider packages would slow every start. */
export function createLazyModel(label: string, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined;
  return {
    label,
    async *stream(request, options) {
      loading ??= load();
      yield* (await loading).stream(request, options);
    },
  };
}
