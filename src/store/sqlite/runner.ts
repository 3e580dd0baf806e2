import type { Ids } from '../../ids.ts';

/** The writing process: its data folder and its runner id. */
export interface Runner {
  folder: string;
  runnerId: string;
  /** Makes the ids of messages that recovery writes. */
  ids: Ids;
}
