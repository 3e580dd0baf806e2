import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** The statements of one connection, each prepared once. `Row` is the caller's word for what its SQL selects. */
export interface Sql {
  one<Row>(text: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(text: string, ...values: SQLInputValue[]): Row[];
  /** How many rows changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

export function createSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  // The casts: a row has the columns that the SQL beside the call names, of the types that STRICT tables hold.
  return {
    one: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).all(...values) as Row[],
    run: (text, ...values) => Number(prepare(text).run(...values).changes),
  };
}
