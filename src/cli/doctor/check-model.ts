import type { LocalServer } from '../../runtime/local-servers.ts';
import type { Agent } from '../../schema/agent.ts';
import { isLocalServer, keyVariables, providerFacts } from '../../schema/provider.ts';
import { commandText } from '../called-as.ts';
import { listModels } from '../local-models.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Less than this holds the instructions and tools of no usual agent. */
const SMALL_WINDOW = 8_192;

type SingleModel = Omit<Agent['model'], 'fallback'>;

/** The model and its fallback. A vendor is not asked: nothing leaves this machine. */
export function checkModels(agent: Agent, servers: readonly LocalServer[]): Finding[] {
  const models: SingleModel[] = [agent.model, ...(agent.model.fallback ? [agent.model.fallback] : [])];
  return models.flatMap((model) => [
    describeModel(model),
    ...checkLocal(model, { ...agent, hasTools: agent.tools.length > 0 }, servers),
  ]);
}

/** A missing key is a problem of the file, which names its variable. */
function describeModel(model: SingleModel): Finding {
  const label = [model.provider, model.name].filter(Boolean).join(' ');
  return ok('model', `${label}, ${keyVariables(model).length === 0 ? 'no key needed' : 'a key is set'}`);
}

interface Needs {
  limits: { context_tokens?: number | undefined };
  hasTools: boolean;
}

/** Faults of a model on this machine, for an agent with these needs. */
export function checkLocal(
  model: Pick<SingleModel, 'provider' | 'name' | 'endpoint'>,
  { limits, hasTools }: Needs,
  servers: readonly LocalServer[],
): Finding[] {
  const { provider, name = '' } = model;
  const { listing, startAdvice = '', pullCommand, toolModels } = providerFacts(provider);
  // An address of the file is another server than the one that was asked.
  if (!listing || model.endpoint !== undefined || !isLocalServer(model)) return [];
  const server = servers.find((found) => found.provider === provider);
  if (!server) return [problem('model', `${listing.title} does not answer or has no model`, startAdvice)];
  const found = server.models.find((known) => known.name === name || known.name === `${name}:latest`);
  if (!found) {
    const known = server.models.map((known) => known.name).join(', ');
    const remedy = pullCommand ? `${pullCommand} ${name}` : 'Change model.name';
    return [problem('model', `${listing.title} has no ${name}, only ${known}`, remedy)];
  }
  const { context_tokens: limit = Number.POSITIVE_INFINITY } = limits;
  const own = found.contextTokens ?? SMALL_WINDOW;
  const mend = limit < own ? 'Raise limits.context_tokens' : 'Choose a model with a larger window, or load it with one';
  return [
    ...(found.hasTools === false && hasTools
      ? [problem('model', `${name} cannot call tools`, `Choose ${toolModels ?? 'a model that can'}`)]
      : []),
    ...(Math.min(limit, own) < SMALL_WINDOW
      ? [warning('model', `${name} reads only ${Math.min(limit, own)} tokens`, mend)]
      : []),
  ];
}

/** The models that run on this machine. */
export function listLocal(servers: readonly LocalServer[]): Finding[] {
  return listModels(servers).map(({ id, text }) => ok('local', `${text}: ${commandText(['use', id])}`));
}
