/** Error code that replaces a missing answer. */
export const NO_ANSWER_CODE = -32_990;
/** Error code that replaces an answer of unreadable shape. */
export const UNREADABLE_CODE = -32_991;

/** A refusal by our side of a connection, with a message that the model may read. */
export class RefusedAnswer extends Error {}
