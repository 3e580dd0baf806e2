import { asTyped } from '../../agent/attached-text.ts';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { OpenOptions } from '../../kinds/kind.ts';
import { kindOf } from '../../kinds/tool-kinds.ts';
import type { Log, Report } from '../../log.ts';
import type { Logins } from '../../mcp/oauth/logins.ts';
import { createModel, createPricedModel, type ModelDeps } from '../../models/create-model.ts';
import type { Model } from '../../models/model.ts';
import type { Windows } from '../../models/providers/ollama/window.ts';
import type { Refusals } from '../../models/providers/provider-settings.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import { findPrice, type Price } from '../../schema/price.ts';
import type { ComposedSpace } from '../../space/space-composer.ts';
import type { Store } from '../../store/store.ts';
import type { CodeAgent, CodeTool } from '../../tools/functions/code-tools.ts';
import type { OpenedSource, ToolSource } from '../../tools/tool.ts';
import { checkPrices } from '../budget.ts';
import { checkFormat } from '../check-format.ts';
import type { RuntimeTap } from '../tap.ts';
import { awaitTools } from './await-tools.ts';
import { shareVectors } from './domains.ts';
import type { OpenPlugin } from './plugin-parts.ts';
import { joinPlans, openPlugins, PLUGINS } from './plugins.ts';
import { createReadyAgent, type ReadyAgent } from './ready-agent.ts';

/** The parts of a runtime's options that an agent's model and tools use. */
export interface ReadyOptions {
  folder: string;
  store?: Store;
  model?: Model;
  sources?: readonly ToolSource[];
  tools?: readonly CodeTool[];
  clock: Clock;
  ids: Ids;
  log?: Log | undefined;
  report?: Report;
  tap?: RuntimeTap;
  refusals?: Refusals;
  windows?: Windows;
  logins?: () => Promise<Logins>;
  /** Other plugins than the product's. */
  plugins?: readonly OpenPlugin[];
}

/** Opens an agent's model and tools. */
export async function makeReady(agent: CodeAgent, options: ReadyOptions): Promise<ReadyAgent> {
  const { folder, clock, store, log, report, refusals, windows, tap } = options;
  checkPrices(agent, { hasOwnModel: options.model !== undefined });
  if (agent.response_format) await checkFormat(agent.response_format, 'response_format');
  const ids = tap?.ids ?? options.ids;
  const vectors = shareVectors();
  const isBuiltin = !options.model && agent.model.provider === 'builtin';
  const spaces: ComposedSpace[] = [];
  const source = tap?.documents ?? agent.folder;
  const keepsFresh = store !== undefined;
  const brought = await openPlugins(
    { agent, source, folder, clock, ids, log, isBuiltin, keepsFresh, spaces, vectors },
    options.plugins ?? PLUGINS,
  );
  const builtin = async () => {
    const model = awaitTools(
      withoutFiles(
        (await import('../../builtin/builtin-model.ts')).createBuiltinModel({
          agent,
          vectors,
          ...joinPlans(brought),
        }),
      ),
    );
    // Members can be given a conversation, and give it back.
    const isInTeam = agent.handoffs?.length || agent.name.includes('/');
    return isInTeam ? (await import('./hand-over-by-words.ts')).handOverByWords(model, agent) : model;
  };
  const open = (parts: Pick<ModelDeps, 'ids' | 'post'>) =>
    createModel(agent.model, {
      builtin,
      maxReplyChars: modelLimits(agent).reply_chars,
      contextTokens: agent.limits.context_tokens,
      accepts: async (schema, value) => (await import('../../tools/validate.ts')).accepts(schema, value),
      clock,
      ...(refusals && { refusals }),
      ...(windows && { windows }),
      ...(log && { log }),
      ...parts,
    });
  const isRemote = !options.model && !isBuiltin;
  const given = options.model && withPrice(options.model, findPrice(agent.model));
  const model = given ?? (await open(tap ? await wireOf(tap) : { ids }));
  const kinds = await openSources({
    agent,
    folder,
    clock,
    ids,
    vectors,
    onSpace: (space) => spaces.push(space),
    ...(store && { store }),
    ...(options.logins && { logins: options.logins }),
    ...(log && { log }),
    ...(report && { report }),
  });
  const own = [...kinds.map((kind) => kind.source), ...brought.flatMap(({ sources = [] }) => sources)];
  const opened = [
    ...own,
    ...(await openCode([...(agent.functions ?? []), ...(options.tools ?? [])])),
    ...(options.sources ?? []),
    ...(agent.members && store ? [(await import('../../team/delegate-tool.ts')).createTeamSource(agent)] : []),
  ];
  const parts = { agent, plugins: brought.map(({ plugin }) => plugin), opened: [...kinds, ...brought] };
  if (!tap) return createReadyAgent({ ...parts, model, sources: opened });
  const tapped = tap.model(model, { isRemote });
  return createReadyAgent({ ...parts, model: tapped, sources: opened.map(tap.source) });
}

async function openCode(tools: readonly CodeTool[]): Promise<ToolSource[]> {
  if (tools.length === 0) return [];
  const { createCodeSource } = await import('../../tools/functions/code-tools.ts');
  return [createCodeSource(tools)];
}

function withPrice(model: Model, price: Price | undefined): Model {
  return price ? createPricedModel(model, price) : model;
}

async function wireOf(tap: RuntimeTap): Promise<Pick<ModelDeps, 'ids' | 'post'>> {
  const { createPost } = await import('../../models/http-post.ts');
  return { ids: tap.modelIds, post: tap.post(createPost()) };
}

/** Wraps a model that reads every word as a command: it gets the typed text only, never the text of a file. */
function withoutFiles(model: Model): Model {
  return {
    label: model.label,
    stream: (request, options) => model.stream({ ...request, messages: request.messages.map(asTyped) }, options),
  };
}

/** Opens the sources under `tools` in agent.yaml. Loads only the modules in use; a server starts when first needed. */
async function openSources(options: OpenOptions): Promise<OpenedSource[]> {
  const groups = Map.groupBy(options.agent.tools, (entry) => kindOf(entry));
  const opened = [...groups].flatMap(([kind, entries]) => kind.open(entries, options));
  return inFileOrder(
    await Promise.all(opened),
    options.agent.tools.map(({ name }) => name),
  );
}

/** Functions come first: their source has the agent's name, which no entry has to have. */
function inFileOrder(sources: readonly OpenedSource[], names: readonly string[]): OpenedSource[] {
  return sources.toSorted((a, b) => names.indexOf(a.source.name) - names.indexOf(b.source.name));
}
