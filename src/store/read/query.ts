/** Values of a statement. Lists and documents are passed as JSON text. */
export type Value = string | number | null;

/**
 * Reads a database. Parameters are `$1`, `$2`, …; the texts are SQL that SQLite and PostgreSQL both understand. `Row` is
 * the caller's type for the selected columns.
 */
export interface Query {
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  one<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
}
