import * as z from 'zod';
import { Domain } from './domain.ts';
import { JsonObject } from './json.ts';
import { ModelConfig, type ReasoningEffort } from './model-config.ts';
import { Name, Seconds, StringMap, Text, Url } from './scalars.ts';
import { Evaluations } from './tests/evaluation.ts';
import { TestCase } from './tests/test-case.ts';
import { isTimeZone } from './time.ts';
import { DEFAULT_MESSAGE_CHARS } from './user-text.ts';

export { ModelConfig, type ReasoningEffort };

const Origin = z
  .string()
  .refine(
    (origin) => origin === '*' || URL.parse(origin)?.origin === origin,
    'must be an origin, such as https://app.example.com',
  );
const Host = z.string().regex(/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i, 'must be a host name, without http:// or /');

/** Values of the user that a tool argument can be bound to. */
export const USER_VALUES: readonly string[] = ['$user.id', '$user.name'];

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
  message_chars: z.number().int().positive().max(1_000_000).default(DEFAULT_MESSAGE_CHARS),
  history_messages: z.number().int().positive().max(100_000).default(50),
  tool_output_chars: z.number().int().positive().max(1_000_000).default(40_000),
  context_tokens: z.number().int().positive().max(100_000_000).optional(),
  reply_chars: z.number().int().positive().max(10_000_000).optional(),
  calls_per_reply: z.number().int().positive().max(1_000).default(64),
});
export type Limits = z.infer<typeof Limits>;

const Names = z.array(Text);
const ArgumentPath = z
  .string()
  .refine(
    (path) => path.split('.').every((step) => step.trim() !== ''),
    'must be an argument, or a path such as filter.user_id',
  );
const BoundValue = z.string().refine((value) => USER_VALUES.includes(value), `must be ${USER_VALUES.join(' or ')}`);
const Bind = z.record(ArgumentPath, BoundValue).default({});
const Prefix = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must begin with a letter and hold only letters, digits, - and _, such as shop_')
  .max(32);
/** A scope-token of RFC 6749. */
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be one word of printable ASCII characters');

/** Settings of `auth: oauth`; all are optional. */
const OAuthSettings = z.strictObject({
  client_id: Text.optional(),
  client_secret: Text.optional(),
  issuer: Url.optional(),
  client_metadata_url: Url.optional(),
  scopes: z.array(Scope).optional(),
  allowed_hosts: z.array(Host).default([]),
});
const mcpShared = {
  name: Name,
  type: z.literal('mcp'),
  allow: Names.optional(),
  bind: Bind,
  unbound: Names.default([]),
  connection: z.enum(['shared', 'per_user']).default('shared'),
  approve: Names.default([]),
  idempotent: Names.default([]),
  prefix: Prefix.optional(),
};

export const McpTool = z.discriminatedUnion('transport', [
  z.strictObject({
    ...mcpShared,
    transport: z.literal('builtin'),
    server: z.enum(['tasks', 'space']),
    file: Text.optional(),
  }),
  z.strictObject({
    ...mcpShared,
    transport: z.literal('stdio'),
    command: Text,
    args: z.array(z.string()).default([]),
    env: StringMap.default({}),
  }),
  z.strictObject({
    ...mcpShared,
    transport: z.literal('http'),
    url: Url,
    headers: StringMap.default({}),
    auth: z.literal('oauth').optional(),
    oauth: OAuthSettings.optional(),
  }),
]);
export type McpTool = z.infer<typeof McpTool>;

export const FunctionTool = z.strictObject({
  name: Name,
  type: z.literal('function'),
  file: Text,
  function: Text.default('default'),
  description: Text,
  parameters: JsonObject.refine((schema) => schema.type === 'object', {
    path: ['type'],
    error: 'the parameters of a function must have type: object',
  }).default({ type: 'object', properties: {} }),
  env: StringMap.default({}),
  bind: Bind,
  approve: z.boolean().default(false),
  idempotent: z.boolean().default(false),
});
export type FunctionTool = z.infer<typeof FunctionTool>;

export const ToolConfig = z.discriminatedUnion('type', [McpTool, FunctionTool]);
export type ToolConfig = z.infer<typeof ToolConfig>;

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
  port: z.number().int().min(1).max(65_535).default(8000),
  host: Text.default('127.0.0.1'),
  cors_origins: z.array(Origin).default([]),
  session_ttl_seconds: z.number().positive().max(31_536_000).default(1800),
  max_active_turns: z.number().int().positive().max(100_000).default(200),
  max_active_turns_per_user: z.number().int().positive().max(100_000).optional(),
  max_streams_per_user: z.number().int().positive().max(100_000).optional(),
  timezone: z
    .string()
    .refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin')
    .optional(),
  allowed_hosts: z.array(Host).default([]),
  trust_proxy: z.boolean().default(false),
  agui_reasoning: z.boolean().default(true),
  mcp_tools: z.boolean().default(false),
  rate_limit: z.strictObject({ turns_per_minute: z.number().int().positive().max(1_000_000).default(60) }).prefault({}),
  page: z.boolean().default(true),
  metrics: z.strictObject({ port: z.number().int().min(1).max(65_535), host: Text.default('127.0.0.1') }).optional(),
  auth: z.strictObject({ jwt: JwtAuth, developer_scope: Scope.optional() }).optional(),
});
export type ServerConfig = z.infer<typeof ServerConfig>;

/** Days that data is kept; absent = for ever. */
const Days = z.number().int().positive().max(36_500).optional();
export const Retention = z.strictObject({ events: Days, conversations: Days, attachments: Days, audit: Days });
export type Retention = z.infer<typeof Retention>;

/** Limits of costs, in dollars. */
export const Budget = z.strictObject({
  per_turn: z.number().positive().optional(),
  per_user_day: z.number().positive().optional(),
  per_day: z.number().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;

/** The shape of agent.yaml. Rules across several keys are in `config/rules.ts`. */
export const AgentFile = z.strictObject({
  name: Name,
  description: Text.optional(),
  model: ModelConfig.prefault({}),
  instructions: Instructions,
  loop: LoopConfig.prefault({}),
  limits: Limits.prefault({}),
  tools: z.array(ToolConfig).default([]),
  intents: z.record(Name, IntentConfig).default({}),
  domains: z.array(Domain).default([]),
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
export interface Agent extends Omit<AgentFile, 'instructions' | 'response_format'> {
  instructions: string;
  /** The JSON Schema of every answer. */
  response_format?: JsonObject;
  /** Absolute path of the folder that holds the file; every `file:` reference is an absolute path inside it. */
  folder: string;
}
