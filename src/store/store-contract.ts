import { describe } from 'vitest';
import { describeBeginTurn } from './contract/begin-turn.ts';
import { describeChildren } from './contract/children.ts';
import { describeConversations } from './contract/conversations.ts';
import { describeDescribedTurns } from './contract/described-turns.ts';
import { describeIsolation } from './contract/isolation.ts';
import { describeRecovery } from './contract/recovery.ts';
import { describeSearch } from './contract/search.ts';
import { describeAttachments, describeSeededMessages } from './contract/seeded-messages.ts';
import { describeSharedTurns } from './contract/shared-turns.ts';
import { describeSiblings } from './contract/siblings.ts';
import { describeAcceptedTools, describeSecrets, describeSpending } from './contract/user-records.ts';
import { type MakeBench, useWorld } from './contract/world.ts';
import { describeWriteTurn } from './contract/write-turn.ts';

/** The contract of every store; a new store joins with one line. */
export function storeContract(name: string, makeBench: MakeBench): void {
  describe(`${name} as a store`, () => {
    const world = useWorld(makeBench);
    describeBeginTurn(world);
    describeWriteTurn(world);
    describeChildren(world);
    describeSiblings(world);
    describeConversations(world);
    describeDescribedTurns(world);
    describeSearch(world);
    describeSeededMessages(world);
    describeAcceptedTools(world);
    describeSecrets(world);
    describeSpending(world);
    describeAttachments(world);
    describeIsolation(world);
    describeRecovery(world);
    describeSharedTurns(world);
  });
}
