import type { LocalServer } from '../runtime/local-servers.ts';
import type { Agent } from '../schema/agent.ts';
import { isLocalServer, type Provider, providerFacts } from '../schema/provider.ts';
import { commandText } from './called-as.ts';
import type { NamedModel } from './model-flag.ts';

/** The instructions and tools of a small agent are about 1,200 tokens; usual ones, with history, fill the second. */
const LEAST_WINDOW = 4_096;
const SMALL_WINDOW = 8_192;

/** Needs of an agent that a local model may lack. */
export interface Needs {
  limits: { context_tokens?: number | undefined };
  hasTools: boolean;
  /** The agent's file names its model: `holodeck use` does not change it. */
  namesModel?: boolean;
  /** The reader is in a chat, where `/model` changes the model. */
  isChat?: boolean;
}

/** An agent with tools and without limits of its own, as most are. */
export const USUAL: Needs = { limits: {}, hasTools: true };

export function needsOf({ limits, tools }: Agent, namesModel: boolean): Needs {
  return { limits, hasTools: tools.length > 0, namesModel };
}

/** A reason why a local model does not serve an agent, and the command or line that helps. */
export interface Doubt {
  state: 'warning' | 'problem';
  text: string;
  remedy: string;
}

/** The models of this machine, `id` as `--model` takes it and `facts` for people; those that fit the needs come first. */
export function listModels(servers: readonly LocalServer[], needs: Needs = USUAL) {
  const all = servers.flatMap(({ provider, title, models }) =>
    models.map(({ name, hasTools, contextTokens }) => ({
      ...{ id: `${provider}/${name}`, provider, title, name },
      facts: [
        ...(hasTools === undefined ? [] : [`tools: ${hasTools ? 'yes' : 'no'}`]),
        ...(contextTokens === undefined || contextTokens >= SMALL_WINDOW ? [] : [`window: ${contextTokens} tokens`]),
      ],
      fits: findDoubts({ provider, name }, needs, servers).every(({ state }) => state !== 'problem'),
    })),
  );
  return all.toSorted((a, b) => Number(b.fits) - Number(a.fits));
}

/** A line for each model, and the built-in one, with a mark for the one in use: its provider and name, or neither. */
export function describeModels(models: ReturnType<typeof listModels>, model: readonly unknown[]): string[] {
  const used = model.filter(Boolean).join('/') || 'builtin';
  const all = [...models, { id: 'builtin', title: 'no key needed', facts: [] }];
  const markOf = (id: string) => (id === used ? ['in use'] : []);
  return all.map(({ id, title, facts }) => `${id}   ${[title, ...facts, ...markOf(id)].join(', ')}`);
}

/** The line of the first screen; undefined if nothing was found. */
export function describeFound(servers: readonly LocalServer[], needs: Needs): string | undefined {
  const [best] = listModels(servers, needs);
  const [first] = servers;
  if (!best) return first && `${first.title} runs here without a model${adviseModels(first.provider)}.`;
  const { id, provider, title, name, facts, fits } = best;
  const found = `${title} runs here with ${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
  if (!fits) return `${found}, which is not enough for this agent${adviseModels(provider)}.`;
  return `${found}. Use it: /model ${id}${needs.namesModel ? '' : `; for all chats: ${commandText(['use', id])}`}`;
}

function adviseModels(provider: Provider): string {
  const { toolModels } = providerFacts(provider);
  return toolModels ? `: choose ${toolModels}` : '';
}

/** The address of a chosen model's server, if it runs at another one than usual. */
export function endpointOf({ provider }: NamedModel, servers: readonly LocalServer[]): { endpoint?: string } {
  const endpoint = servers.find((server) => server.provider === provider)?.endpoint;
  return endpoint === undefined ? {} : { endpoint: new URL(providerFacts(provider).defaultPath ?? '', endpoint).href };
}

/** Faults of a model on this machine, for an agent with these needs. */
export function findDoubts(
  model: Pick<Agent['model'], 'provider' | 'name' | 'endpoint'>,
  { limits, hasTools, namesModel, isChat }: Needs,
  servers: readonly LocalServer[],
): Doubt[] {
  const { provider, name = '' } = model;
  const { listing, endpoint: usual, startAdvice = '', pullCommand, toolModels } = providerFacts(provider);
  if (!listing || !isLocalServer(model)) return [];
  const server = servers.find((found) => found.provider === provider);
  // An address of the file may be another server than the one that was asked.
  const asked = server?.endpoint ?? usual;
  if (model.endpoint && URL.parse(model.endpoint)?.origin !== URL.parse(asked ?? '')?.origin) return [];
  const lasting = namesModel ? 'remove `model` from the file' : commandText(['use', 'builtin']);
  const builtin = isChat ? `/model builtin, or ${lasting}` : lasting;
  const orBuiltin = (remedy: string) => `${remedy.replace(/\.$/, '')}; or go back to the built-in model: ${builtin}`;
  const problem = (text: string, remedy: string): Doubt => ({ state: 'problem', text, remedy: orBuiltin(remedy) });
  if (!server) return [problem(`${listing.title} does not answer`, startAdvice)];
  const found = server.models.find((known) => known.name === name || known.name === `${name}:latest`);
  if (!found) {
    const known = server.models.map((other) => other.name).join(', ');
    const text = `${listing.title} has no ${name}${known ? `, only ${known}` : ', and no other model'}`;
    return [problem(text, pullCommand ? `${pullCommand} ${name}` : 'Change model.name')];
  }
  const { context_tokens: limit = Number.POSITIVE_INFINITY } = limits;
  const own = found.contextTokens ?? SMALL_WINDOW;
  const window = Math.min(limit, own);
  const larger = `Choose a model with a larger window, ${toolModels ? `such as ${toolModels}` : 'or load it with one'}`;
  const isTooSmall = window < LEAST_WINDOW;
  const remedy = limit < own ? 'Raise limits.context_tokens' : isTooSmall ? orBuiltin(larger) : larger;
  const doubts: Doubt[] =
    found.hasTools === false && hasTools
      ? [problem(`${name} cannot call tools`, `Choose ${toolModels ?? 'a model that can'}`)]
      : [];
  const reads = { text: `${name} reads only ${window} tokens`, remedy };
  return window >= SMALL_WINDOW ? doubts : [...doubts, { state: isTooSmall ? 'problem' : 'warning', ...reads }];
}
