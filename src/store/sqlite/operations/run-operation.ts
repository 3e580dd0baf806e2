import type { Begun, RecoveredTurn, TurnLease } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { type AcceptTools, acceptTools } from './accept-tools.ts';
import { beginTurn, type EncodedBegin } from './begin-turn.ts';
import { deleteConversation, type OwnConversation, touchConversation } from './change-conversation.ts';
import { continueTurn, type EncodedContinue } from './continue-turn.ts';
import { interruptLeased, type LeasedTurn } from './interrupt-turn.ts';
import { recover } from './recover.ts';
import { tryWrite } from './try-write.ts';
import { type EncodedTurnWrite, writeTurn } from './write-turn.ts';

/** Everything that changes the store, with what it takes and gives. */
export interface Operations {
  beginTurn: { input: EncodedBegin; output: Begun };
  continueTurn: { input: EncodedContinue; output: TurnLease | undefined };
  writeTurn: { input: EncodedTurnWrite; output: undefined };
  interruptTurn: { input: LeasedTurn & { at: string }; output: undefined };
  deleteConversation: { input: OwnConversation; output: boolean };
  touchConversation: { input: OwnConversation & { at: string }; output: undefined };
  acceptTools: { input: AcceptTools; output: undefined };
  tryWrite: { input: { chars: number }; output: undefined };
  recover: { input: { at: string }; output: RecoveredTurn[] };
}

export type OperationName = keyof Operations;
export type Operation = { [Name in OperationName]: { name: Name; input: Operations[Name]['input'] } }[OperationName];

/** The process that writes: its data folder and its id among the runners. */
export interface Runner {
  folder: string;
  runnerId: string;
}

/** Runs one operation inside the caller's transaction. */
export function runOperation(sql: Sql, operation: Operation, { folder, runnerId }: Runner): unknown {
  switch (operation.name) {
    case 'beginTurn':
      return beginTurn(sql, operation.input, runnerId);
    case 'continueTurn':
      return continueTurn(sql, operation.input, runnerId);
    case 'writeTurn':
      return writeTurn(sql, operation.input);
    case 'interruptTurn':
      return interruptLeased(sql, operation.input);
    case 'deleteConversation':
      return deleteConversation(sql, operation.input);
    case 'touchConversation':
      return touchConversation(sql, operation.input);
    case 'acceptTools':
      return acceptTools(sql, operation.input);
    case 'tryWrite':
      return tryWrite(sql, operation.input);
    case 'recover':
      return recover(sql, operation.input, folder);
  }
}
