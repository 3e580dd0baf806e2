/** Facts about the data of a model that questions are read with. */
export interface DataFacts {
  /** Dimension → its values as the data holds them. */
  values: ReadonlyMap<string, readonly string[]>;
  /** Table → its oldest and newest date. */
  ranges: ReadonlyMap<string, { from: string; to: string }>;
  /** `table.column` of time columns that hold months. */
  months: ReadonlySet<string>;
  /** The day that relative periods count from. */
  today: string;
}
