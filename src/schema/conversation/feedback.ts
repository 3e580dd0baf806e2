import * as z from 'zod';
import { cleanText } from '../clean-text.ts';

const COMMENT_CHARS = 2_000;

/** A user's rating of an answer. A null rating without a comment withdraws it. */
export const Feedback = z.strictObject({
  rating: z.enum(['up', 'down']).nullable(),
  comment: z
    .string()
    .max(COMMENT_CHARS, `must not be longer than ${COMMENT_CHARS} characters`)
    .overwrite(cleanText)
    .optional(),
});
export type Feedback = z.infer<typeof Feedback>;
