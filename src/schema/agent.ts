import * as z from 'zod';
import { Domain } from './domain.ts';
import { JsonObject } from './json.ts';
import type { KnowledgeMap } from './knowledge/entry.ts';
import { ModelConfig, type ReasoningEffort } from './model-config.ts';
import { Host, isTimeZone, Name, Scope, Seconds, Text, Url } from './scalars.ts';
import { Evaluations } from './tests/evaluation.ts';
import { TestCase } from './tests/test-case.ts';
import { DEFAULT_MESSAGE_CHARS } from './user-text.ts';

export { ModelConfig, type ReasoningEffort };

const Origin = z
  .string()
  .refine(
    (origin) => origin === '*' || URL.parse(origin)?.origin === origin,
    'must be an origin, such as https://app.example.com',
  );

/** Shared by many keys: each schema costs time when a command starts. */
const Count = z.number().int().positive();
const Port = z.number().int().min(1).max(65_535);

export const InstructionParts = z.strictObject({
  role: Text,
  rules: z.array(Text).default([]),
  guidelines: z.array(Text).default([]),
  tools: Text,
});
export type InstructionParts = z.infer<typeof InstructionParts>;

const Instructions = z.union([
  Text,
  z.strictObject({ file: Text }),
  z.strictObject({ inline: Text }),
  InstructionParts,
]);

export const LoopConfig = z.strictObject({
  max_iterations: z.number().int().min(1).max(50).default(15),
  iteration_timeout_seconds: Seconds.optional(),
  tool_timeout_seconds: Seconds.default(50),
  answer_timeout_seconds: Seconds.optional(),
  question_timeout_seconds: Seconds.default(600),
  parallel_tool_calls: z.number().int().min(1).max(100).default(8),
  retry: z
    .strictObject({
      enabled: z.boolean().default(false),
      attempts: z.number().int().nonnegative().max(10).default(1),
    })
    .prefault({}),
});
export type LoopConfig = z.infer<typeof LoopConfig>;

export const Limits = z.strictObject({
  message_chars: Count.max(1_000_000).default(DEFAULT_MESSAGE_CHARS),
  history_messages: Count.max(100_000).default(50),
  tool_output_chars: Count.max(1_000_000).default(40_000),
  context_tokens: Count.max(100_000_000).optional(),
  reply_chars: Count.max(10_000_000).optional(),
  calls_per_reply: Count.max(1_000).default(64),
  delegations: Count.max(1_000).default(8),
  depth: Count.max(20).default(3),
});
export type Limits = z.infer<typeof Limits>;

/** Values of the user that a tool argument can be bound to. */
export const USER_VALUES: readonly string[] = ['$user.id', '$user.name'];

const ArgumentPath = z
  .string()
  .refine(
    (path) => path.split('.').every((step) => step.trim() !== ''),
    'must be an argument, or a path such as filter.user_id',
  );
const BoundValue = z.string().refine((value) => USER_VALUES.includes(value), `must be ${USER_VALUES.join(' or ')}`);
export const Bind = z.record(ArgumentPath, BoundValue).default({});

/**
 * A `tools` entry of agent.yaml, with the keys that code outside its kind reads. Its kind in `kinds/` has the whole
 * schema and checks it.
 */
export const ToolEntry = z.looseObject({
  name: Name,
  type: Text,
  bind: Bind,
  allow: z.array(Text).optional(),
  unbound: z.array(Text).optional(),
  connection: z.enum(['shared', 'per_user']).optional(),
  prefix: z.string().optional(),
  file: Text.optional(),
});
export type ToolEntry = z.infer<typeof ToolEntry>;

export const IntentConfig = z.strictObject({
  tool: z.string().regex(/^\S+$/, 'must be the name of a tool, without spaces').optional(),
  examples: z.array(Text).default([]),
  keywords: z.array(Text).default([]),
  reply: Text.optional(),
});
export type IntentConfig = z.infer<typeof IntentConfig>;

const JwtAuth = z
  .strictObject({
    secret: Text.optional(),
    jwks_file: Text.optional(),
    jwks_url: Url.optional(),
    issuer: Text,
    audience: Text,
  })
  .refine((jwt) => [jwt.secret, jwt.jwks_file, jwt.jwks_url].filter((value) => value !== undefined).length === 1, {
    error: 'needs exactly one of secret, jwks_file and jwks_url',
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const ServerConfig = z.strictObject({
  port: Port.default(8000),
  host: Text.default('127.0.0.1'),
  cors_origins: z.array(Origin).default([]),
  session_ttl_seconds: z.number().positive().max(31_536_000).default(1800),
  max_active_turns: Count.max(100_000).default(200),
  max_active_turns_per_user: Count.max(100_000).optional(),
  max_streams_per_user: Count.max(100_000).optional(),
  timezone: z
    .string()
    .refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin')
    .optional(),
  allowed_hosts: z.array(Host).default([]),
  trust_proxy: z.boolean().default(false),
  agui_reasoning: z.boolean().default(true),
  mcp_tools: z.boolean().default(false),
  rate_limit: z.strictObject({ turns_per_minute: Count.max(1_000_000).default(60) }).prefault({}),
  page: z.boolean().default(true),
  metrics: z.strictObject({ port: Port, host: Text.default('127.0.0.1') }).optional(),
  auth: z.strictObject({ jwt: JwtAuth, developer_scope: Scope.optional(), groups_claim: Text.optional() }).optional(),
});
export type ServerConfig = z.infer<typeof ServerConfig>;

/** Days that data is kept; absent = for ever. */
const Days = Count.max(36_500).optional();
export const Retention = z.strictObject({ events: Days, conversations: Days, attachments: Days, audit: Days });
export type Retention = z.infer<typeof Retention>;

/** Limits of costs, in dollars. */
export const Budget = z.strictObject({
  per_turn: z.number().positive().optional(),
  per_user_day: z.number().positive().optional(),
  per_day: z.number().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;

/** A member that reads an answer before it is sent. Without its verdict, a required one withholds the answer. */
export const ThenMember = z.strictObject({ agent: Name, required: z.boolean().default(false) });
export type ThenMember = z.infer<typeof ThenMember>;
const Names = z.array(Name).optional();

/** The shape of agent.yaml. Rules across several keys are in `config/rules.ts`. */
export const AgentFile = z.strictObject({
  name: Name,
  description: Text.optional(),
  model: ModelConfig.prefault({}),
  instructions: Instructions,
  loop: LoopConfig.prefault({}),
  limits: Limits.prefault({}),
  tools: z.array(ToolEntry).default([]),
  intents: z.record(Name, IntentConfig).default({}),
  domains: z.array(Domain).default([]),
  /** Checked in `config/`, with `KnowledgeMap`. */
  knowledge: JsonObject.optional(),
  /** Checked in `config/`, with `Members`. */
  agents: JsonObject.optional(),
  sub_agents: Names,
  handoffs: Names,
  // biome-ignore lint/suspicious/noThenProperty: a key of agent.yaml; no schema is awaited
  then: z.array(z.union([Name, ThenMember])).optional(),
  starters: z.array(Text).default([]),
  observability: z
    .strictObject({
      enabled: z.boolean().default(false),
      otlp_endpoint: Url.optional(),
      capture_content: z.boolean().default(false),
    })
    .prefault({}),
  server: ServerConfig.prefault({}),
  database: z.string().optional(),
  retention: Retention.prefault({}),
  budget: Budget.prefault({}),
  response_format: z.union([Text, JsonObject]).optional(),
  evaluations: Evaluations.optional(),
  test_cases: z.array(TestCase).optional(),
  test_cases_file: Text.optional(),
  $schema: z.string().optional(),
});
export type AgentFile = z.infer<typeof AgentFile>;

/** The checked content of an agent.yaml, with its instructions as the text that a model reads. */
export interface Agent extends Omit<AgentFile, 'instructions' | 'response_format' | 'knowledge' | 'agents' | 'then'> {
  instructions: string;
  knowledge?: KnowledgeMap;
  /** The other agents of the team by their names here, each called `<team>/<member>`. */
  members?: Readonly<Record<string, Agent>>;
  /** The members that read each answer before it is sent, in this order. */
  then?: readonly ThenMember[];
  /** The JSON Schema of every answer. */
  response_format?: JsonObject;
  /** Absolute path of the folder that holds the file; every `file:` reference is an absolute path inside it. */
  folder: string;
}
