import * as z from 'zod';

export const ServerState = z.enum(['initializing', 'ready', 'running', 'shutting_down', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

export const Protocol = z.enum(['all', 'ag-ui', 'rest']);
export type Protocol = z.infer<typeof Protocol>;

export const Health = z.strictObject({
  status: z.enum(['healthy', 'unhealthy']),
  /** Why it is unhealthy, for people. */
  reason: z.string().optional(),
  agent_name: z.string().optional(),
  agent_ready: z.boolean(),
  active_sessions: z.number().int().nonnegative(),
  uptime_seconds: z.number().nonnegative(),
  agents: z.array(z.strictObject({ name: z.string(), ready: z.boolean() })),
});
export type Health = z.infer<typeof Health>;

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
