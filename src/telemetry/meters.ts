import type { Meter } from '@opentelemetry/api';
import type { Agent } from '../schema/agent.ts';
import type { TokenUsage } from '../schema/token-usage.ts';
import { type Operation, operationAttributes } from './attributes.ts';

/** What the conventions ask to be measured. */
export interface Meters {
  recordDuration(operation: Operation, agent: Agent, ms: number, errorType?: string): void;
  recordTokens(agent: Agent, usage: TokenUsage | undefined): void;
}

/** The steps that the conventions ask for. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

export function createMeters(meter: Meter): Meters {
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    advice: { explicitBucketBoundaries: TOKENS },
  });
  return {
    recordDuration(operation, agent, ms, errorType) {
      const attributes = { ...operationAttributes(operation, agent), ...(errorType && { 'error.type': errorType }) };
      durations.record(ms / 1000, attributes);
    },
    recordTokens(agent, usage) {
      if (!usage) return;
      const shared = operationAttributes('chat', agent);
      tokens.record(usage.prompt_tokens, { ...shared, 'gen_ai.token.type': 'input' });
      tokens.record(usage.completion_tokens, { ...shared, 'gen_ai.token.type': 'output' });
    },
  };
}
