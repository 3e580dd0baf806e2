import * as z from 'zod';
import { Uuid } from './ids.ts';

/** Who is asking. The brand keeps everyone but `identity/` from making one. */
export const User = z
  .strictObject({ id: Uuid, name: z.string().optional(), timezone: z.string().optional() })
  .brand<'User'>();
export type User = z.infer<typeof User>;
