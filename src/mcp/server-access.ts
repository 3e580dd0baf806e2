import type { AuthProvider } from '@modelcontextprotocol/client';

/** A server that cannot be used before its user logs in. The message is for people and holds nothing of a token. */
export class LoginNeeded extends Error {
  constructor(server: string, why: string) {
    super(
      `${server} needs a login: ${why}. Log in to ${server} on the web page, or run: holodeck mcp login ${server} agent.yaml`,
    );
    this.name = 'LoginNeeded';
  }
}

/** The login behind an error, if there is one. */
export function findLoginNeeded(error: unknown): LoginNeeded | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof LoginNeeded) return cause;
  return undefined;
}

/** The tokens of one user for one server. `token` and `onUnauthorized` throw `LoginNeeded` if only a person can help. */
export interface ServerAccess extends Required<AuthProvider> {
  /** Why no request can be sent now; undefined if one can. */
  findObstacle(): Promise<LoginNeeded | undefined>;
  /** Turns a refusal of our token into `LoginNeeded` and remembers the scope that was asked for. */
  explain(error: unknown): Promise<unknown>;
}
