import { AppError } from '../errors.ts';
import { Provider } from '../schema/provider.ts';

/** A model as people name it. */
export interface NamedModel {
  provider: Provider;
  name?: string;
}

/** Converts `provider/name` into settings in the shape of agent.yaml; the name may contain slashes. */
export function modelOverrides(text: string | undefined): { model?: NamedModel } {
  return text === undefined ? {} : { model: readModel(text) };
}

/** People often write the name alone of one of the models of this machine. */
export function readModel(text: string, known: readonly { id: string; name: string }[] = []): NamedModel {
  const slash = text.indexOf('/');
  const provider = Provider.safeParse(slash === -1 ? text : text.slice(0, slash));
  const name = slash === -1 ? '' : text.slice(slash + 1);
  if (!provider.success || (name === '' && provider.data !== 'builtin')) {
    const meant = known.find(({ name: own }) => own === text || own.startsWith(`${text}:`))?.id;
    const advice = meant
      ? `did you mean ${meant}?`
      : `write provider/name, such as google/gemini-2.5-flash or ollama/qwen3. Providers: ${Provider.options.join(', ')}.`;
    const detail = `"${text}" is not a model; ${advice}`;
    throw new AppError('usage', { detail });
  }
  return { provider: provider.data, ...(name && { name }) };
}
