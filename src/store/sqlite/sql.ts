import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** The statements of one connection, each prepared once. `Row` is the caller's type for the selected columns. */
export interface Sql {
  one<Row>(text: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(text: string, ...values: SQLInputValue[]): Row[];
  /** Returns the number of changed rows. */
  run(text: string, ...values: SQLInputValue[]): number;
}

export function createSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known) return known;
    // PostgreSQL's `$1` is a name in SQLite; its numbered parameter is `?1`.
    const statement = database.prepare(text.replaceAll(/\$(\d)/g, '?$1'));
    statements.set(text, statement);
    return statement;
  };
  // The casts are safe: a row has the columns named in the SQL at the call, with the types of STRICT tables.
  return {
    one: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).all(...values) as Row[],
    run: (text, ...values) => Number(prepare(text).run(...values).changes),
  };
}
