import * as z from 'zod';
import { AgentFile } from '../schema/agent.ts';
import type { JsonObject } from '../schema/json.ts';

/** The JSON Schema of agent.yaml, for editors; made from the schema that checks the file. */
export function agentJsonSchema(): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(AgentFile, { io: 'input' });
  const document = {
    $schema,
    title: 'HoloDeck agent',
    description: `One agent: the content of agent.yaml. A \${NAME} in a text is filled from the environment.`,
    ...schema,
  };
  return JSON.parse(JSON.stringify(document)) as JsonObject; // what JSON.stringify wrote is JSON
}
