import { z } from 'zod';
import { Domain } from './domain.ts';
import { JsonObject } from './json.ts';
import { DEFAULT_MESSAGE_CHARS } from './user-text.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
const Seconds = z.number().positive();
const Name = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must begin with a letter and hold only letters, digits, - and _')
  .max(64, 'must be at most 64 characters');
const Url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

export const Provider = z.enum(['builtin', 'openai', 'anthropic', 'google', 'ollama', 'openai_compatible']);
export type Provider = z.infer<typeof Provider>;

const modelFields = {
  provider: Provider.default('builtin'),
  name: Text.optional(),
  endpoint: Url.optional(),
  api_key: Text.optional(),
  temperature: z.number().min(0).max(2).default(0.3),
  max_tokens: z.number().int().positive().default(1000),
  /** One attempt. */
  timeout_seconds: Seconds.default(30),
};
export const FallbackModel = z.strictObject(modelFields);
export const ModelConfig = z.strictObject({ ...modelFields, fallback: FallbackModel.optional() });
export type ModelConfig = z.infer<typeof ModelConfig>;

export const InstructionParts = z.strictObject({
  role: Text,
  rules: z.array(Text).default([]),
  guidelines: z
    .array(Text)
    .refine(
      (lines) => lines.some((line) => /\b(concise|brief|short)\b|under \d+ words/i.test(line)),
      'needs a line that asks for brevity: "concise", "brief", "short" or "under N words"',
    ),
  tools: Text,
});
export type InstructionParts = z.infer<typeof InstructionParts>;

export const Instructions = z.union([
  Text,
  z.strictObject({ file: Text }),
  z.strictObject({ inline: Text }),
  InstructionParts,
]);
export type Instructions = z.infer<typeof Instructions>;

export const LoopConfig = z.strictObject({
  max_iterations: z.number().int().min(1).max(50).default(15),
  iteration_timeout_seconds: Seconds.default(30),
  tool_timeout_seconds: Seconds.default(50),
  answer_timeout_seconds: Seconds.default(60),
  parallel_tool_calls: z.number().int().min(1).default(8),
  retry: z
    .strictObject({ enabled: z.boolean().default(false), attempts: z.number().int().nonnegative().default(1) })
    .prefault({}),
});
export type LoopConfig = z.infer<typeof LoopConfig>;

export const Limits = z.strictObject({
  message_chars: z.number().int().positive().default(DEFAULT_MESSAGE_CHARS),
  history_messages: z.number().int().positive().default(50),
  tool_output_chars: z.number().int().positive().default(40_000),
  context_tokens: z.number().int().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

const Names = z.array(Text);
const mcpShared = {
  name: Name,
  type: z.literal('mcp'),
  allow: Names.optional(),
  /** Argument path → a value of ours, such as `$user.id`. */
  bind: z.record(Text, Text).default({}),
  unbound: Names.default([]),
  connection: z.enum(['shared', 'per_user']).default('shared'),
  approve: Names.default([]),
  idempotent: Names.default([]),
};
const StringMap = z.record(z.string(), z.string());

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
  z.strictObject({ ...mcpShared, transport: z.literal('http'), url: Url, headers: StringMap.default({}) }),
]);
export type McpTool = z.infer<typeof McpTool>;

export const FunctionTool = z.strictObject({
  name: Name,
  type: z.literal('function'),
  file: Text,
  function: Text.default('default'),
  description: Text,
  parameters: JsonObject.default({ type: 'object', properties: {} }),
  bind: z.record(Text, Text).default({}),
  approve: z.boolean().default(false),
  idempotent: z.boolean().default(false),
});
export type FunctionTool = z.infer<typeof FunctionTool>;

export const ToolConfig = z.union([McpTool, FunctionTool]);
export type ToolConfig = z.infer<typeof ToolConfig>;

export const IntentConfig = z.strictObject({
  tool: Text.optional(),
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
  .refine(
    (jwt) => [jwt.secret, jwt.jwks_file, jwt.jwks_url].filter((value) => value !== undefined).length === 1,
    'needs exactly one of secret, jwks_file and jwks_url',
  );

export const ServerConfig = z.strictObject({
  port: z.number().int().min(1).max(65_535).default(8000),
  host: Text.default('127.0.0.1'),
  cors_origins: z.array(Text).default([]),
  session_ttl_seconds: Seconds.default(1800),
  max_active_turns: z.number().int().positive().default(200),
  timezone: z
    .string()
    .refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin')
    .optional(),
  allowed_hosts: z.array(Text).default([]),
  trust_proxy: z.boolean().default(false),
  rate_limit: z.strictObject({ turns_per_minute: z.number().int().positive().default(60) }).prefault({}),
  auth: z.strictObject({ jwt: JwtAuth }).optional(),
});
export type ServerConfig = z.infer<typeof ServerConfig>;

/** The shape of agent.yaml. Rules that span several keys are in `config/rules.ts`. */
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
  database: Text.optional(),
});
export type AgentFile = z.infer<typeof AgentFile>;

/** The checked content of one agent.yaml, with its instructions as the text that a model reads. */
export interface Agent extends Omit<AgentFile, 'instructions'> {
  instructions: string;
  /** Absolute path of the folder that holds the file; `file:` references stay inside it. */
  folder: string;
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
