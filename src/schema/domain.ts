import * as z from 'zod';
import { DataReading } from './data-query.ts';
import { JsonObject, lazyStrict } from './json.ts';

/** The interpretation of a message. `confidence` is present only if a model computes it. */
export const Intent = lazyStrict(() => ({
  name: z.string().min(1),
  confidence: z.number().min(0).max(1).optional(),
  parameters: JsonObject,
  clarification_question: z.string().min(1).optional(),
  /** Messages that the user may send to answer the question, best first. */
  choices: z.array(z.string().min(1)).max(3).optional(),
}));
export type Intent = z.infer<typeof Intent>;

/** The intents of the todo agent. */
export const TodoIntent = z.enum([
  'create_task',
  'list_tasks',
  'complete_task',
  'delete_task',
  'update_task',
  'clarification_needed',
  'unknown',
]);
export type TodoIntent = z.infer<typeof TodoIntent>;

const SnakeCase = z.lazy(() =>
  z.string().regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be snake_case, such as customer_behavior'),
);
const Text = z.lazy(() => z.string().trim().min(1));

/** A data domain that questions can be routed to. */
export const Domain = lazyStrict(() => ({
  name: SnakeCase,
  display_name: Text,
  description: Text,
  capabilities: z.array(Text).default([]),
  mcp_tools: z.array(Text).min(1),
  related_domains: z.array(SnakeCase).default([]),
  enabled: z.boolean().default(true),
}));
export type Domain = z.infer<typeof Domain>;

/** The evidence for one domain. From 0.5 on the domain is asked. */
const DomainScore = z.lazy(() => z.strictObject({ domain: SnakeCase, score: z.number().min(0).max(1) }));

/** The domains that a question needs, and the reason. */
export const RoutingDecision = z.lazy(() =>
  z
    .strictObject({
      user_query: Text,
      identified_domains: z.array(SnakeCase),
      reasoning: z.string(),
      confidence: z.number().min(0).max(1),
      /** Every domain that some word points to, best first. Absent where no words were compared. */
      scores: z.array(DomainScore).optional(),
      /** How the question was read over the models of local spaces. Absent where there are none. */
      reading: DataReading.optional(),
      ambiguity_detected: z.boolean(),
      clarification_needed: z.boolean(),
      out_of_scope: z.boolean(),
    })
    .superRefine((decision, context) => {
      const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
      const mayBeEmpty = decision.clarification_needed || decision.out_of_scope;
      if (decision.identified_domains.length === 0 && !mayBeEmpty)
        say('identified_domains', 'may be empty only when clarification is needed or the question is out of scope');
      if (decision.ambiguity_detected && decision.reasoning.trim() === '')
        say('reasoning', 'must name the alternatives when the question is ambiguous');
    }),
);
export type RoutingDecision = z.infer<typeof RoutingDecision>;
