import { AppError } from '../errors.ts';
import { Provider } from '../schema/provider.ts';

/** A model as people name it. */
export interface NamedModel {
  provider: Provider;
  name?: string;
}

/** `provider/name` as settings in the shape of agent.yaml; the name may hold slashes of its own. */
export function modelOverrides(text: string | undefined): { model?: NamedModel } {
  return text === undefined ? {} : { model: readModel(text) };
}

export function readModel(text: string): NamedModel {
  const slash = text.indexOf('/');
  const provider = Provider.safeParse(slash === -1 ? text : text.slice(0, slash));
  const name = slash === -1 ? '' : text.slice(slash + 1);
  if (!provider.success || (name === '' && provider.data !== 'builtin')) {
    const detail = `"${text}" is no model. Write provider/name, such as google/gemini-2.5-flash; providers are ${Provider.options.join(', ')}.`;
    throw new AppError('usage', { detail });
  }
  return { provider: provider.data, ...(name && { name }) };
}
