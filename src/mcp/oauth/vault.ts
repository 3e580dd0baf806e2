import type { AuthorizationServerMetadata, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import type { User } from '../../schema/user.ts';
import { isLoopback } from './address-guard.ts';
import { type Challenge, type Grant, keyOf, type OAuthServer, shortHash } from './grant.ts';
import type { Sealer } from './seal.ts';

/** Stores sealed values, of one user or, without a user, of the program. */
export interface SecretMemory {
  readSecret(user: User | undefined, name: string): Promise<string | undefined>;
  /** With `expected`, only if that is the value now (null = if there is none); false otherwise. */
  writeSecret(
    user: User | undefined,
    write: { name: string; value: string; expiresAt?: string; expected?: string | null; now: string },
  ): Promise<boolean>;
  /** Removes and returns; of several callers at once, one gets it. */
  takeSecret(user: User | undefined, name: string): Promise<string | undefined>;
  listSecrets(user: User): Promise<string[]>;
}

export interface HeldGrant {
  grant: Grant;
  /** As stored: a later write names it, so that it cannot bring back a grant that was removed. */
  sealed: string;
}

/** A login that has begun; its answer arrives in the browser. */
export interface PendingLogin {
  userId: string;
  server: { agent: string; name: string; url: string };
  redirectUri: string;
  codeVerifier: string;
  /** The login server that the person was sent to; the code goes to no other. */
  metadata: AuthorizationServerMetadata;
  client: StoredOAuthClientInformation;
  resource?: string;
  /** The scope that was asked for. */
  scope?: string;
  /** Hash of the value that only the browser of the login has; absent for a login in the terminal. */
  browser?: string;
  expiresAt: number;
}

export interface Vault {
  readGrant(user: User, server: OAuthServer): Promise<HeldGrant | undefined>;
  /** False if another grant than the expected one is there. */
  writeGrant(user: User, server: OAuthServer, grant: Grant, expected?: string): Promise<boolean>;
  takeGrant(user: User, server: OAuthServer): Promise<Grant | undefined>;
  /** Removes everything of a user and returns the grants. */
  takeAll(user: User): Promise<Grant[]>;
  readClient(server: OAuthServer, redirectUri: string): Promise<StoredOAuthClientInformation | undefined>;
  writeClient(server: OAuthServer, redirectUri: string, client: StoredOAuthClientInformation): Promise<void>;
  forgetClient(server: OAuthServer, redirectUri: string): Promise<void>;
  addPending(state: string, pending: PendingLogin): Promise<void>;
  /** Each state is good once. Undefined for an unknown, used or late one. */
  takePending(state: string): Promise<PendingLogin | undefined>;
  readChallenge(user: User, server: OAuthServer): Promise<Challenge | undefined>;
  writeChallenge(user: User, server: OAuthServer, challenge: Challenge): Promise<void>;
  /** Whether this process may refresh now; others wait until `release`. */
  claim(user: User, server: OAuthServer): Promise<boolean>;
  release(user: User, server: OAuthServer): Promise<void>;
}

interface KeptClient {
  client: StoredOAuthClientInformation;
  until: number;
}

const CLAIM_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const REGISTERED_DAYS = 365;
const GRANT = 'grant ';

/** Logins in a store, sealed. A value that no key opens counts as missing: the user logs in again. */
export function createVault(memory: SecretMemory, sealer: Sealer, clock: Clock): Vault {
  const rows = createRows(memory, sealer, clock);
  return { ...grantsIn(rows), ...clientsIn(rows), ...beginningsIn(rows) };
}

type Rows = ReturnType<typeof createRows>;

/** Sealed JSON under a name; `issuer` is part of the seal. */
function createRows(memory: SecretMemory, sealer: Sealer, clock: Clock) {
  const open = (sealed: string | undefined, user: User | undefined, name: string) =>
    sealed === undefined ? undefined : sealer.open(sealed, { userId: user?.id ?? '', name });
  // The casts are safe: a value was sealed here, under the same name.
  const parse = <T>(opened: { text: string } | undefined) => opened && (JSON.parse(opened.text) as T);
  const nowMs = () => clock.date().getTime();
  const toTime = (ms: number) => new Date(ms).toISOString();
  return {
    memory,
    open,
    parse,
    nowMs,
    toTime,
    read: async <T>(user: User | undefined, name: string) =>
      parse<T>(open(await memory.readSecret(user, name), user, name)),
    take: async <T>(user: User | undefined, name: string) =>
      parse<T>(open(await memory.takeSecret(user, name), user, name)),
    seal: (value: object, user: User | undefined, name: string, issuer = '') =>
      sealer.seal(JSON.stringify(value), { userId: user?.id ?? '', name, issuer }),
    write: (user: User | undefined, row: { name: string; value: string; until?: number; expected?: string | null }) => {
      const { until, ...rest } = row;
      return memory.writeSecret(user, {
        ...rest,
        ...(until !== undefined && { expiresAt: toTime(until) }),
        now: toTime(nowMs()),
      });
    },
  };
}

function grantsIn({ memory, open, parse, take, seal, write }: Rows): Pick<Vault, GrantMethods> {
  const nameOf = (server: OAuthServer) => `${GRANT}${keyOf(server)}`;
  return {
    async readGrant(user, server) {
      const name = nameOf(server);
      const sealed = await memory.readSecret(user, name);
      const opened = open(sealed, user, name);
      const grant = parse<Grant>(opened);
      if (sealed === undefined || !opened || !grant) return undefined;
      if (!opened.isOld) return { grant, sealed };
      const value = seal(grant, user, name, opened.issuer);
      const isWritten = await write(user, { name, value, expected: sealed });
      return { grant, sealed: isWritten ? value : sealed };
    },
    async writeGrant(user, server, grant, expected) {
      const name = nameOf(server);
      const value = seal(grant, user, name, grant.metadata.issuer);
      return write(user, { name, value, ...(expected !== undefined && { expected }) });
    },
    takeGrant: (user, server) => take<Grant>(user, nameOf(server)),
    async takeAll(user) {
      const names = await memory.listSecrets(user);
      const taken = await Promise.all(names.map(async (name) => ({ name, value: await take<Grant>(user, name) })));
      return taken.flatMap(({ name, value }) => (value && name.startsWith(GRANT) ? [value] : []));
    },
  };
}

type GrantMethods = 'readGrant' | 'writeGrant' | 'takeGrant' | 'takeAll';
type ClientMethods = 'readClient' | 'writeClient' | 'forgetClient';

function clientsIn({ memory, read, seal, write, nowMs }: Rows): Pick<Vault, ClientMethods> {
  const nameOf = ({ url }: OAuthServer, redirectUri: string) => `client ${shortHash(url)} ${shortHash(redirectUri)}`;
  return {
    async readClient(server, redirectUri) {
      const kept = await read<KeptClient>(undefined, nameOf(server, redirectUri));
      return kept && kept.until > nowMs() ? kept.client : undefined;
    },
    async writeClient(server, redirectUri, client) {
      const name = nameOf(server, redirectUri);
      const until = endOf(client, redirectUri, nowMs());
      await write(undefined, { name, value: seal({ client, until }, undefined, name, client.issuer), until });
    },
    async forgetClient(server, redirectUri) {
      await memory.takeSecret(undefined, nameOf(server, redirectUri));
    },
  };
}

/** Values that live for minutes: begun logins, demands of servers, claims. */
function beginningsIn(rows: Rows): Omit<Vault, GrantMethods | ClientMethods> {
  const { memory, read, take, seal, write, nowMs } = rows;
  const stateName = (state: string) => `login ${shortHash(state)}`;
  const challengeName = (server: OAuthServer) => `challenge ${keyOf(server)}`;
  const claimName = (server: OAuthServer) => `refresh ${keyOf(server)}`;
  return {
    async addPending(state, pending) {
      const name = stateName(state);
      await write(undefined, { name, value: seal(pending, undefined, name), until: pending.expiresAt });
    },
    async takePending(state) {
      const pending = await take<PendingLogin>(undefined, stateName(state));
      return pending && pending.expiresAt > nowMs() ? pending : undefined;
    },
    readChallenge: (user, server) => read(user, challengeName(server)),
    async writeChallenge(user, server, challenge) {
      const name = challengeName(server);
      await write(user, { name, value: seal(challenge, user, name), until: nowMs() + DAY_MS });
    },
    claim: (user, server) =>
      write(user, { name: claimName(server), value: 'claimed', until: nowMs() + CLAIM_MS, expected: null }),
    async release(user, server) {
      await memory.takeSecret(user, claimName(server));
    },
  };
}

/** A registration for a port of this machine is of no use later: the next login has another port. */
function endOf(client: StoredOAuthClientInformation, redirectUri: string, now: number): number {
  const given = 'client_secret_expires_at' in client ? client.client_secret_expires_at : undefined;
  const longest = now + (isLoopback(new URL(redirectUri).hostname) ? DAY_MS : REGISTERED_DAYS * DAY_MS);
  return given ? Math.min(given * 1000, longest) : longest;
}
