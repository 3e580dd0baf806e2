import type { Agent } from '../schema/agent.ts';
import { type Provider, providerFacts } from '../schema/provider.ts';
import type { TokenUsage } from '../schema/token-usage.ts';
import type { Values } from './otlp.ts';

/** Names that the conventions give; ours where they have none. */
const PROVIDERS: Record<Provider, string> = {
  builtin: 'holodeck',
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  ollama: 'ollama',
  openai_compatible: 'openai_compatible',
  azure_openai: 'azure.ai.openai',
  openrouter: 'openrouter',
};

export type Operation = 'invoke_agent' | 'chat' | 'execute_tool';

export function modelName({ model }: Agent): string {
  return model.name ?? model.provider;
}

/** What spans and metrics of one operation share. */
export function operationAttributes(operation: Operation, agent: Agent): Values {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': PROVIDERS[agent.model.provider],
    'gen_ai.agent.name': agent.name,
    'gen_ai.request.model': operation === 'execute_tool' ? undefined : modelName(agent),
    ...(operation === 'chat' && serverValues(agent)),
  };
}

function serverValues({ model }: Agent): Values {
  const url = URL.parse(model.endpoint ?? providerFacts(model.provider).endpoint ?? '');
  if (!url) return {};
  const standard = url.protocol === 'https:' ? 443 : 80;
  return { 'server.address': url.hostname, 'server.port': url.port === '' ? standard : Number(url.port) };
}

export function usageValues(usage: TokenUsage | undefined): Values {
  return { 'gen_ai.usage.input_tokens': usage?.prompt_tokens, 'gen_ai.usage.output_tokens': usage?.completion_tokens };
}
