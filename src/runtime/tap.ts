import type { Ids } from '../ids.ts';
import type { Model } from '../models/model.ts';
import type { ToolSource } from '../tools/tool.ts';

/** Stands between a runtime and its models and tools, to record them or to take their place. */
export interface RuntimeTap {
  model(model: Model): Model;
  source(source: ToolSource): ToolSource;
  /** Ids for models and tools. They are not part of a repeated run, so they must not use up those of the turns. */
  ids: Ids;
}
