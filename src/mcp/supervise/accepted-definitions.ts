import type { ListedTool } from '../client/client.ts';
import {
  compareDefinitions,
  type Definition,
  type DefinitionChanges,
  type Refusal,
  readDefinitions,
} from './definitions.ts';

/** Tool name → fingerprint of the accepted definition. */
type AcceptedTools = Readonly<Record<string, string>>;

/** Stores acceptances, so that they survive the process. */
export interface AcceptedMemory {
  /** Undefined if nothing was ever accepted. */
  read(): Promise<AcceptedTools | undefined>;
  write(accepted: AcceptedTools): Promise<void>;
}

/**
 * The definitions in use. The first list of a server is accepted; a definition that differs from the accepted one, of
 * this process or an earlier one, waits for a person and is not offered.
 */
export interface AcceptedDefinitions {
  /** Undefined until the server first listed its tools. */
  readonly accepted: readonly Definition[] | undefined;
  readonly refused: readonly Refusal[];
  readonly pending: DefinitionChanges | undefined;
  take(listed: readonly ListedTool[]): Promise<void>;
  accept(): Promise<void>;
  /** Reads the stored acceptances again, because another process may have accepted. */
  recheck(): Promise<void>;
}

export function createAcceptedDefinitions(memory: AcceptedMemory = createProcessMemory()): AcceptedDefinitions {
  let hashes: AcceptedTools = {};
  let accepted: readonly Definition[] | undefined;
  let newest: ReturnType<typeof readDefinitions> = { definitions: [], refused: [] };

  const use = (known: AcceptedTools) => {
    hashes = known;
    // A changed tool stays in use in its earlier form as long as this process knows it.
    accepted = pickAccepted([...newest.definitions, ...(accepted ?? [])], known);
  };
  const acceptNewest = async () => {
    const next = hashesOf(newest.definitions);
    await memory.write(next);
    use(next);
  };
  return {
    get accepted() {
      return accepted;
    },
    get refused() {
      return newest.refused;
    },
    get pending() {
      return accepted && compareDefinitions(hashes, newest.definitions);
    },
    async take(listed) {
      const read = readDefinitions(listed);
      const known = await memory.read();
      newest = read;
      if (known) use(known);
      else await acceptNewest();
    },
    async accept() {
      if (accepted) await acceptNewest();
    },
    async recheck() {
      const known = await memory.read();
      if (known) use(known);
    },
  };
}

/** The definitions with an accepted fingerprint, each name once, in the server's order. */
function pickAccepted(definitions: readonly Definition[], known: AcceptedTools): Definition[] {
  const fitting = definitions.filter(({ name, fingerprint }) => known[name] === fingerprint);
  return fitting.filter(({ name }, index) => fitting.findIndex((other) => other.name === name) === index);
}

function hashesOf(definitions: readonly Definition[]): AcceptedTools {
  return Object.fromEntries(definitions.map(({ name, fingerprint }) => [name, fingerprint]));
}

/** For a source without a store: a restart accepts whatever the server lists. */
function createProcessMemory(): AcceptedMemory {
  let kept: AcceptedTools | undefined;
  return {
    read: async () => kept,
    async write(accepted) {
      kept = accepted;
    },
  };
}
