/** A measure and the words for it. */
export interface MeasureWords {
  name: string;
  words: readonly string[];
  unit: string;
  /** The measure that counts the rows of its table. */
  rows: string | undefined;
  /** Named conditions that are part of it: an abandonment rate counts what is abandoned. */
  filters: readonly string[];
  /** True if its rows are averaged, so that it is never a total. */
  isAverage: boolean;
  /** `down` for a measure of which less is better. */
  good?: 'up' | 'down' | undefined;
}

export interface ValueWords {
  dimension: string;
  value: string;
  words: readonly string[];
}

export interface FilterWords {
  name: string;
  words: readonly string[];
  opposite: readonly string[];
}

/** The words of the spaces of an agent, for checks of what an answer says about a query. */
export interface DataVocabulary {
  measures: readonly MeasureWords[];
  values: readonly ValueWords[];
  filters: readonly FilterWords[];
  /** Dimension → its nouns. */
  dimensions: readonly { name: string; words: readonly string[] }[];
  /** First and last day of each table's dates. */
  ranges: readonly { from: string; to: string }[];
  /** The days that relative periods count from. */
  today: readonly string[];
}
