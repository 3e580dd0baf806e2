import { asTyped } from '../../agent/attached-text.ts';
import type { Model } from '../../models/model.ts';

/** Wraps a model that reads every word as a command: it gets the typed text only, never the text of a file. */
export function withoutFiles(model: Model): Model {
  return {
    label: model.label,
    stream: (request, options) => model.stream({ ...request, messages: request.messages.map(asTyped) }, options),
  };
}
