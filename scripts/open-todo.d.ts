import type { TurnResult } from '../src/schema/conversation/turn.ts';
import type { User } from '../src/schema/user.ts';
export interface Todo {
    say(user: User, message: string, conversationId?: string): Promise<{
        result: TurnResult;
        conversationId: string;
    }>;
    close(): Promise<void>;
}
/** The shipped todo agent, in a temporary data folder. */
export declare function openTodo(options?: {
    now?: Date;
}): Promise<Todo>;
