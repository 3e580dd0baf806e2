import * as z from 'zod';
import { Uuid } from './ids.ts';

export const ServerState = z.enum(['initializing', 'ready', 'running', 'shutting_down', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

export const Protocol = z.enum(['all', 'ag-ui', 'rest']);
export type Protocol = z.infer<typeof Protocol>;

export const Health = z.strictObject({
  status: z.enum(['healthy', 'unhealthy']),
  /** The reason why it is unhealthy, for people. */
  reason: z.string().optional(),
  agent_name: z.string().optional(),
  agent_ready: z.boolean(),
  active_sessions: z.number().int().nonnegative(),
  store: z.strictObject({
    kind: z.enum(['sqlite', 'postgres']),
    bus: z.enum(['live', 'polling']).optional().describe('Whether notes from other servers arrive'),
  }),
  uptime_seconds: z.number().nonnegative(),
  agents: z.array(z.strictObject({ name: z.string(), ready: z.boolean() })),
});
export type Health = z.infer<typeof Health>;

/** An agent of a server, as people choose it. */
export const AgentInfo = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  starters: z.array(z.string()),
  model: z.strictObject({ provider: z.string(), name: z.string(), is_builtin: z.boolean() }),
  tools: z.number().int().nonnegative().describe('Number of tools that you can use now'),
  has_domains: z.boolean(),
  has_tasks: z.boolean().describe('Whether it keeps tasks with the built-in task server'),
  has_knowledge: z.literal(true).optional().describe('It answers from documents: GET /agent/{name}/knowledge'),
  has_logins: z.literal(true).optional().describe('Users log in to a server of the agent: GET /agent/{name}/logins'),
  has_runs: z.literal(true).optional().describe('Test runs that you may see: GET /agent/{name}/runs'),
  state: z.enum(['ready', 'degraded', 'failed', 'starting']),
  problem: z.string().optional().describe('Reason for the state, for people'),
});
export type AgentInfo = z.infer<typeof AgentInfo>;

/** The user of a request. */
export const Me = z.strictObject({
  id: Uuid,
  name: z.string().optional(),
  zone: z.string().describe('Time zone that dates are read in'),
  auth: z.enum(['none', 'token', 'app']).describe('How users sign in; `app`: by the app that serves the routes'),
  reach: z.enum(['loopback', 'network']).describe('Whether other machines can reach the server'),
  is_developer: z.boolean().describe('Whether prompts, tool definitions and provider errors may be shown'),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

/** RFC 9457. `instance` is the request's id. */
export const ProblemDetail = z.strictObject({
  type: z.url(),
  title: z.string(),
  status: z.number().int().min(400).max(599),
  detail: z.string().optional(),
  instance: z.string().optional(),
  code: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
export type ProblemDetail = z.infer<typeof ProblemDetail>;
