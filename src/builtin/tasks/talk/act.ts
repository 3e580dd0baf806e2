import type { When } from '../../../language/when.ts';
import type { Slots, TaskFrame } from '../frames/frame.ts';
import type { KnownTask } from '../known-task.ts';
import type { Command } from '../task-context.ts';
import type { Asking } from './peel.ts';

/** The effect of one part of a message. `time`: a time and nothing else; `remark`: nothing. */
export type Act =
  | { kind: 'create'; title: string; when?: string; asking: Asking; isQuoted?: boolean }
  | { kind: 'change'; command: Command; tasks: KnownTask[]; isOrder: boolean; isPointing: boolean }
  | { kind: 'reverse'; frame: TaskFrame }
  | { kind: 'time'; when: When; isForAll: boolean }
  | { kind: 'which'; action: Command['action']; tasks: KnownTask[]; slots: Slots }
  | { kind: 'remark' };
