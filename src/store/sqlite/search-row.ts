/** Positions of one conversation in the search index; a conversation has fewer messages. */
const SPAN = 2 ** 20;
/** The row of a conversation's own title; messages begin at 1. */
export const TITLE_POSITION = 0;

/** The row of a text in the search index. The trigger that deletes a conversation's rows uses the same span. */
export function searchRow(conversation: number, position: number): number {
  return conversation * SPAN + position;
}
