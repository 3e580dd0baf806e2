import { type LocalServer, PATIENT } from '../../runtime/local-servers.ts';
import type { Agent } from '../../schema/agent.ts';
import { keyVariables, providerFacts } from '../../schema/provider.ts';
import { isLoopback } from '../../schema/scalars.ts';
import { commandText } from '../called-as.ts';
import { type Doubt, findDoubts, listModels, needsOf } from '../local-models.ts';
import { type Finding, ok } from './check-machine.ts';

type SingleModel = Omit<Agent['model'], 'fallback'>;

/** The model and its fallback. A vendor is not asked: nothing leaves this machine. */
export async function checkModels(
  agent: Agent,
  namesModel: boolean,
  servers: readonly LocalServer[],
): Promise<Finding[]> {
  const models: SingleModel[] = [agent.model, ...(agent.model.fallback ? [agent.model.fallback] : [])];
  const found = models.map(async (model, index) => {
    const known = findDoubts(model, needsOf(agent, namesModel || index > 0), servers);
    const doubts = known.length > 0 ? known : await findSilent(model, index === 0 ? 'model' : 'model.fallback');
    const isGood = doubts.every(({ state }) => state !== 'problem');
    return [...(isGood ? [describeModel(model)] : []), ...doubts.map((doubt) => ({ area: 'model', ...doubt }))];
  });
  return (await Promise.all(found)).flat();
}

/** A fault of an address on this machine at which nothing listens. */
async function findSilent({ provider, endpoint = '' }: SingleModel, key: string): Promise<Doubt[]> {
  const url = URL.parse(endpoint);
  if (!url || !isLoopback(url.hostname)) return [];
  const signal = AbortSignal.timeout(PATIENT.waitMs);
  const fault = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch(({ cause }) => cause?.code);
  if (fault !== 'ECONNREFUSED') return [];
  const { startAdvice = 'Start its server.' } = providerFacts(provider);
  const remedy = `${startAdvice.replace(/\.$/, '')}, or correct ${key}.endpoint`;
  return [{ state: 'problem', text: `Nothing answers at ${url.host}`, remedy }];
}

/** A missing key is a problem of the file, which names its variable. */
function describeModel(model: SingleModel): Finding {
  const label = [model.provider, model.name].filter(Boolean).join(' ');
  return ok('model', `${label}, ${keyVariables(model).length === 0 ? 'no key needed' : 'a key is set'}`);
}

/** The models that run on this machine, with the command for those that this agent could use. */
export function listLocal(servers: readonly LocalServer[], agent: Agent | undefined, namesModel: boolean): Finding[] {
  const used = agent && `${agent.model.provider}/${agent.model.name}`;
  return listModels(servers, agent && needsOf(agent, namesModel)).map(({ id, provider, title, name, facts, fits }) => {
    const choose = namesModel ? `model: { provider: ${provider}, name: "${name}" }` : commandText(['use', id]);
    const advice = id === used ? `${id} is in use` : choose;
    return ok('local', [title, ...facts].join(', ') + (fits ? `: ${advice}` : `: ${id} is not enough for this agent`));
  });
}
