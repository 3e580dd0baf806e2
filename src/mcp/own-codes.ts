/** The code of the error that stands for an answer that never came. */
export const NO_ANSWER_CODE = -32_990;
/** The code of the error that stands for an answer whose shape nobody can read. */
export const UNREADABLE_CODE = -32_991;

/** A refusal by our side of a connection, in words that the model may read. */
export class RefusedAnswer extends Error {}
