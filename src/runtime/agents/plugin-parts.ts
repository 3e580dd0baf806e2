import type { TurnPlugin } from '../../agent/plugin.ts';
import type { Planner } from '../../builtin/answer.ts';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import type { Log } from '../../log.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ComposedSpace } from '../../space/space-composer.ts';
import type { Capability, ToolSource } from '../../tools/tool.ts';

/** A plugin of the loop with the parts that it brings to its agents. */
export interface PluginParts {
  plugin: TurnPlugin;
  /** Closing a source closes what is behind its tools. */
  sources?: readonly ToolSource[];
  /** The planner by which the built-in model answers. */
  plan?: Planner;
  capabilities?: ReadonlyMap<Capability<unknown>, unknown>;
}

export interface PluginOptions {
  agent: Agent;
  /** The folder that holds the documents. */
  source: string;
  /** The data folder of this machine. */
  folder: string;
  clock: Clock;
  ids: Ids;
  log?: Log | undefined;
  isBuiltin: boolean;
  /** Reads changed files while the runtime lives; otherwise the first search reads them. */
  keepsFresh: boolean;
  /** The agent's local spaces; they are opened after the plugins. */
  spaces: readonly ComposedSpace[];
  /** Word vectors for comparing questions; loaded on first use. */
  vectors: () => WordVectors;
}

/** Opens a plugin with its parts; undefined for an agent that does not use it. */
export type OpenPlugin = (options: PluginOptions) => Promise<PluginParts | undefined>;
