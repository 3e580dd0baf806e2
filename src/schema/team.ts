import * as z from 'zod';
import { AgentFile, Limits, LoopConfig, ModelConfig } from './agent.ts';
import { Name, StringMap, Text, Url } from './scalars.ts';

/** A model calls `hand_over_to_<name>`, and providers allow 64 characters. */
export const MemberName = Name.max(50);

/** A member with an agent file of its own. */
export const FileMember = z.strictObject({ file: Text });
const { description, instructions, response_format } = AgentFile.shape;
/** A member on another server, by the address of its A2A agent card. */
export const RemoteMember = z.strictObject({ a2a: Url, description, headers: StringMap.default({}) });
/** A member in the file of its team. What is absent is the team's, but tools: each is named. */
export const InlineMember = z.strictObject({
  description,
  instructions,
  tools: z.array(Name).default([]),
  model: ModelConfig.optional(),
  loop: LoopConfig.optional(),
  limits: Limits.optional(),
  response_format,
});
export type InlineMember = z.infer<typeof InlineMember>;

/** `agents` of agent.yaml: the members of a team by name. */
export const Members = z.record(MemberName, z.union([FileMember, RemoteMember, InlineMember]));
export type Members = z.infer<typeof Members>;
