import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Post } from '../../models/http-post.ts';
import type { RuntimeTap } from '../../runtime/tap.ts';
import type { Event } from '../../schema/conversation/event.ts';

/** Everything of a case that comes from outside the loop, recorded or repeated. */
export interface Tape {
  clock: Clock;
  ids: Ids;
  tap: RuntimeTap;
  /** The connection to models that grade. */
  judge(post: Post): Post;
  /** Takes the stored events of a finished turn: to keep them, or to compare them. */
  takeEvents(events: readonly Event[]): void;
  /** Ends the case. Returns the first difference to the recording, for people. */
  finish(): string | undefined;
}
