import type { DataQuery } from '../../schema/data-query.ts';

/** The last turn of a conversation, if it answered from data. */
export interface Earlier {
  parts: readonly { space: string; query: DataQuery }[];
  /** Choices that the earlier question left open; they hold for a question that continues it. */
  assumptions: readonly string[];
  /** The message adds figures or values instead of replacing them. */
  isAdded?: boolean | undefined;
  /** Dimensions that the message replaces by others: "instead of tier". */
  replaced?: readonly string[] | undefined;
  /** The names that its rows showed, by dimension. */
  shown?: { dimension: string; values: readonly string[] } | undefined;
  /** The one time that a ranking over time found. */
  shownTime?: string | undefined;
  /** The message points at what the last answer found: "that brand", "there", "it". */
  isPointing?: boolean | undefined;
}
