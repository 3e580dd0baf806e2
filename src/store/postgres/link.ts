import postgres from 'postgres';
import type { Query, Value } from '../read/query.ts';
import { asLost, codeOf } from './store-error.ts';

/** Statements on one connection. */
export type Sql = Query;

/** A few connections to the database. A connection that breaks is opened again with the next statement. */
export interface Link extends Sql {
  transaction<T>(action: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface LinkOptions {
  url: string;
  connections: number;
  /** A statement without an answer for so long gives up its connection. */
  stallMs: number;
  /** Shown in the server's list of connections. */
  name?: string;
}

type Driver = postgres.Sql<{ bigint: number }>;

/** The SQLSTATE of a write on a replica. */
const READ_ONLY = '25006';
const CONNECT_TIMEOUT_S = 5;
const RECONNECT_S = 0.2;

export function createLink({ url, connections, stallMs, name = 'holodeck' }: LinkOptions): Link {
  const open = () => openDriver(url, connections, name);
  let driver = open();
  let isClosed = false;

  /** Statements of a stalled connection may never end: all connections of this link are replaced. */
  const replace = (used: Driver) => {
    if (driver !== used || isClosed) return;
    driver = open();
    used.end({ timeout: 0 }).catch(() => {});
  };
  const transactions = createTransactions({ url, connections, stallMs, name });

  return {
    ...sqlOf(async (text, values) => {
      const used = driver;
      return ask(used, { text, values, stallMs, giveUp: () => replace(used) });
    }),
    transaction: transactions.run,
    async close() {
      isClosed = true;
      await Promise.all([driver.end({ timeout: 2 }), transactions.close()]);
    },
  };
}

/** A connection that runs one transaction after the other. */
interface Lane {
  driver: Driver;
  isBroken: boolean;
}

/**
 * Transactions of several statements, each on a connection of its own. The driver writes to a closed socket if a statement
 * follows a lost connection, which would end the process; so a broken connection is thrown away and never written to.
 */
function createTransactions({ url, connections, stallMs, name = 'holodeck' }: LinkOptions) {
  const idle: Lane[] = [];
  const waiting: ((lane: Lane) => void)[] = [];
  let count = 0;
  const open = (): Lane => {
    const lane: Lane = { isBroken: false } as Lane; // its driver is set in the next line
    lane.driver = openDriver(url, 1, name, () => {
      lane.isBroken = true;
    });
    return lane;
  };
  const take = async (): Promise<Lane> => {
    const lane = idle.pop();
    if (lane && !lane.isBroken) return lane;
    if (lane) {
      giveUp(lane);
      return open();
    }
    if (count < connections) {
      count++;
      return open();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const give = (lane: Lane) => {
    const next = lane.isBroken ? open() : lane;
    const first = waiting.shift();
    if (first) first(next);
    else idle.push(next);
  };
  const giveUp = (lane: Lane) => {
    lane.isBroken = true;
    lane.driver.end({ timeout: 0 }).catch(() => {});
  };

  async function run<T>(action: (sql: Sql) => Promise<T>): Promise<T> {
    const lane = await take();
    const sql = onLane(lane, stallMs);
    try {
      await sql.all('BEGIN');
      const result = await action(sql);
      await sql.all('COMMIT');
      return result;
    } catch (error) {
      if (!lane.isBroken) await sql.all('ROLLBACK').catch(() => giveUp(lane));
      throw error;
    } finally {
      if (lane.isBroken) giveUp(lane);
      give(lane);
    }
  }
  return {
    run,
    async close() {
      await Promise.all(idle.splice(0).map(({ driver }) => driver.end({ timeout: 1 })));
    },
  };
}

/** Statements of one connection, which is given up when it breaks or stalls. */
function onLane(lane: Lane, stallMs: number): Sql {
  return sqlOf(async (text, values) => {
    if (lane.isBroken) throw lost('CONNECTION_CLOSED');
    const giveUp = () => {
      lane.isBroken = true;
    };
    return ask(lane.driver, { text, values, stallMs, giveUp });
  });
}

function sqlOf(run: (text: string, values: Value[]) => Promise<unknown>): Sql {
  // The cast is safe: a row has the columns that the SQL at the call names.
  const all = async <Row>(text: string, ...values: Value[]) => (await run(text, values)) as Row[];
  return { all, one: async <Row>(text: string, ...values: Value[]) => (await all<Row>(text, ...values))[0] };
}

interface Statement {
  text: string;
  values: Value[];
  stallMs: number;
  /** Called once the connection is of no more use. */
  giveUp(): void;
}

async function ask(driver: Driver, { text, values, stallMs, giveUp }: Statement): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp();
      reject(lost('STALLED'));
    }, stallMs);
  });
  const running = driver.unsafe(text, values, { prepare: true });
  running.catch((error: unknown) => {
    // Behind a proxy the server of this connection may have become a replica.
    if (codeOf(error) === READ_ONLY) giveUp();
  });
  try {
    return answered(await Promise.race([running, stalled]));
  } catch (error) {
    throw asLost(error);
  } finally {
    clearTimeout(timer);
  }
}

function lost(code: string): Error {
  return Object.assign(new Error('the connection was lost'), { code });
}

/**
 * With several hosts the driver may resolve a statement of a lost connection with an empty result when it has connected
 * again. Only a result with a command is an answer of the database.
 */
function answered<Result extends { command?: string | null }>(result: Result): Result {
  if (result.command) return result;
  throw lost('CONNECTION_LOST');
}

const BIGINT = 20;

export function openDriver(url: string, connections: number, name: string, onclose?: () => void): Driver {
  return postgres(url, {
    max: connections,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => RECONNECT_S,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    ...(onclose && { onclose }),
    // After a failover the first host of the URL may be the replica. `read-write` would accept it: since PostgreSQL 14 a
    // replica reports that its transactions are not read-only by default.
    target_session_attrs: 'primary',
    connection: { application_name: name },
    types: { bigint: { to: BIGINT, from: [BIGINT], parse: Number, serialize: String } },
  });
}
