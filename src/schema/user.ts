import * as z from 'zod';
import { Uuid } from './ids.ts';

/** The user who asks. The brand ensures that only `identity/` creates one. */
export const User = z
  .strictObject({
    id: Uuid,
    name: z.string().optional(),
    timezone: z.string().optional(),
    /** The token has the scope of `server.auth.developer_scope`. */
    is_developer: z.literal(true).optional(),
    /** Values of the claim `server.auth.groups_claim`; they decide which documents the user may see. */
    groups: z.array(z.string()).optional(),
  })
  .brand<'User'>();
export type User = z.infer<typeof User>;
