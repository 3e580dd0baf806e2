import type { LocalServer } from '../runtime/local-servers.ts';
import { providerFacts } from '../schema/provider.ts';
import { commandText } from './called-as.ts';
import type { NamedModel } from './model-flag.ts';

/** Each model with its name for `--model` and its facts for people; models with tools come first. */
export function listModels(servers: readonly LocalServer[]): { id: string; text: string; hasTools: boolean }[] {
  const all = servers.flatMap(({ provider, title, models }) =>
    models.map(({ name, hasTools }) => ({
      id: `${provider}/${name}`,
      text: `${title}${hasTools === undefined ? '' : `, tools: ${hasTools ? 'yes' : 'no'}`}`,
      hasTools: hasTools ?? false,
    })),
  );
  return all.toSorted((a, b) => Number(b.hasTools) - Number(a.hasTools));
}

/** The line of the first screen; undefined if nothing was found. `use` does not reach an agent that names its model. */
export function describeFound(servers: readonly LocalServer[], namesModel: boolean): string | undefined {
  const [best] = listModels(servers);
  if (!best) return undefined;
  const [title, tools] = best.text.split(', ');
  const name = best.id.slice(best.id.indexOf('/') + 1);
  const command = namesModel ? `/model ${best.id}` : commandText(['use', best.id]);
  return `${title} runs here with ${name}${tools ? ` (${tools})` : ''}. Use it: ${command}`;
}

/** The address of a chosen model's server, if it runs at another one than usual. */
export function endpointOf({ provider }: NamedModel, servers: readonly LocalServer[]): { endpoint?: string } {
  const endpoint = servers.find((server) => server.provider === provider)?.endpoint;
  return endpoint === undefined ? {} : { endpoint: new URL(providerFacts(provider).defaultPath ?? '', endpoint).href };
}
