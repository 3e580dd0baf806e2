import type { Agent } from '../schema/agent.ts';
import type { TokenUsage } from '../schema/conversation/token-usage.ts';
import { providerFacts } from '../schema/provider.ts';
import type { Values } from './otlp.ts';

export type Operation = 'invoke_agent' | 'chat' | 'execute_tool';

export function modelName({ model }: Agent): string {
  return model.name ?? model.provider;
}

/** Attributes shared by the spans and metrics of an operation. */
export function operationAttributes(operation: Operation, agent: Agent): Values {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerFacts(agent.model.provider).telemetryName ?? agent.model.provider,
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
  return {
    'gen_ai.usage.input_tokens': usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': usage?.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached_tokens,
    'holodeck.usage.cost_usd': usage?.cost_usd,
  };
}
