import type { WordVectors } from '../../../language/word-vectors.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Json } from '../../../schema/json.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import type { MessageValues } from './values/message-values.ts';

/** A value that an argument may take from a message. `score` is 0 to 1. A length of 0 claims no part of the message. */
export interface Candidate {
  value: Json;
  at: number;
  length: number;
  score: number;
}

export interface FillContext {
  zone: Zone;
  /** Ids from tool results of this conversation; an id is never invented. */
  ids: readonly string[];
  /** Words of the tool's name: the things that arguments such as `name` and `id` belong to. */
  about?: readonly string[];
  /** Finds the option that a word comes closest to. */
  vectors?: WordVectors;
}

/** Reads the candidates of an argument of one kind. */
export type CandidateReader = (
  profile: ArgumentProfile,
  values: MessageValues,
  options: { context: FillContext; all: readonly ArgumentProfile[] },
) => Candidate[];

/** How sure a reading is: by the argument's own word, by its description, by the value's form, or by elimination. */
export const SURE = { named: 0.95, described: 0.7, shaped: 0.85, linked: 0.75, likely: 0.5, left: 0.35 } as const;
