import { asTyped } from '../agent/attached-text.ts';
import type { Model } from '../models/model.ts';

/** For a model that takes every word as a command: it is told what was typed, and never what a file says. */
export function withoutFiles(model: Model): Model {
  return {
    label: model.label,
    stream: (request, options) => model.stream({ ...request, messages: request.messages.map(asTyped) }, options),
  };
}
