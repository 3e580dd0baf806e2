import type { User } from '../schema/user.ts';

export interface LoginInput {
  agent: string;
  /** The name of the `tools` entry. */
  server: string;
}

interface BeginInput extends LoginInput {
  redirectUri: string;
  /** A value that only the person's browser has. */
  browser?: string;
  clientMetadataUrl?: string;
  signal: AbortSignal;
}

interface LoginState {
  server: string;
  logged_in: boolean;
}

/** `revoked`: the login server knows it too. */
type EndedLogin = 'none' | 'revoked' | 'removed';

/** The logins of users to the MCP servers with `auth: oauth`. */
export interface LoginViews {
  listLogins(user: User, agent: string): Promise<LoginState[]>;
  /** Returns the address that the person opens in the same browser. */
  beginLogin(user: User, input: BeginInput): Promise<{ url: string }>;
  /** Takes the answer of the login server. `user` is the caller, if the request has one; it must be the one who began. */
  finishLogin(answer: { params: URLSearchParams; browser?: string; user?: User }): Promise<LoginInput>;
  endLogin(user: User, input: LoginInput): Promise<EndedLogin>;
}
