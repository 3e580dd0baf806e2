import type { ListedTool } from './client.ts';
import {
  compareDefinitions,
  type Definition,
  type DefinitionChanges,
  type Refusal,
  readDefinitions,
} from './definitions.ts';

/** The definitions in use. The first list is taken over; a later one that differs waits for a person. */
export interface DefinitionBook {
  /** Undefined until the server was first heard. */
  readonly accepted: readonly Definition[] | undefined;
  readonly refused: readonly Refusal[];
  readonly pending: DefinitionChanges | undefined;
  take(listed: readonly ListedTool[]): void;
  accept(): void;
}

export function createDefinitionBook(): DefinitionBook {
  let accepted: readonly Definition[] | undefined;
  let newest: ReturnType<typeof readDefinitions> = { definitions: [], refused: [] };
  const findChanges = () => accepted && compareDefinitions(accepted, newest.definitions);
  return {
    get accepted() {
      return accepted;
    },
    get refused() {
      return newest.refused;
    },
    get pending() {
      return findChanges();
    },
    take(listed) {
      newest = readDefinitions(listed);
      accepted ??= newest.definitions;
    },
    accept() {
      if (accepted) accepted = newest.definitions;
    },
  };
}
