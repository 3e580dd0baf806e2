import { AppError } from '../../errors.ts';
import type { Event, Rejected } from '../../schema/conversation/event.ts';
import { emit, type RunningTurn } from '../running-turn.ts';
import { type AskOptions, askModel, type Reply } from './ask-model.ts';

/** The model may correct an answer this often. */
const MAX_REPAIRS = 1;

/**
 * Asks the model once. An answer outside the required format is corrected once by the model; if that fails too, the turn
 * ends with `answer_format`. Nobody sees a rejected answer.
 */
export async function* askForAnswer(turn: RunningTurn, options: AskOptions): AsyncGenerator<Event, Reply> {
  for (;;) {
    const isRepair = turn.state.rejected !== undefined;
    const reply = yield* askModel(turn, isRepair ? { ...options, withTools: false } : options);
    if (!reply.rejected) return reply;
    yield* emit(turn, ...reply.events);
    if (turn.state.rejections > MAX_REPAIRS) throw notInFormat(reply.rejected);
  }
}

function notInFormat({ problems }: Rejected): AppError {
  const detail = `The model's answer does not have the required format, also after a correction: ${problems.join('; ')}. Please try again.`;
  return new AppError('answer_format', { detail });
}
