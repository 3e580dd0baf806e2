import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { User } from '../../schema/user.ts';

/** A turn of a case, as a person sends it. */
export interface FrontTurn {
  message: string;
  files: readonly AttachedFile[];
  /** The answer to every approval. */
  approve: boolean;
}

/** An open way into a runtime. */
interface OpenFront {
  /** Sends a turn, answers what it asks for, and returns the bytes that the client got. */
  send(user: User, turn: FrontTurn): Promise<string>;
  close(): Promise<void>;
}

/** A front through which a recorded case is repeated, such as REST. */
export interface CaseFront {
  name: string;
  open(runtime: Runtime): OpenFront;
}
