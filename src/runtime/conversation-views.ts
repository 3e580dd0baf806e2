import type { Conversation } from '../schema/conversation/conversation.ts';
import type { Trace } from '../schema/conversation/trace.ts';
import type { Feedback } from '../schema/conversation/turn.ts';
import type { DueTasks, Task } from '../schema/task.ts';
import type { User } from '../schema/user.ts';
import type { Page } from '../store/store.ts';
import { type CalledTool, type CallToolInput, callTool } from './call-tool.ts';
import type { ExportedConversation, ExportInput } from './export-conversation.ts';
import type { ForkInput } from './fork.ts';
import type { KnowledgeViews } from './knowledge-views.ts';
import { type ChangeTaskInput, changeTask, listTasks, type ReminderInput, takeReminders } from './task-list.ts';
import type { TraceInput } from './trace/read-trace.ts';
import { describeTurns, type ListedTurn } from './turn/describe-turns.ts';
import type { ChatDeps } from './turn/turn.ts';

/** Conversations as people look back at them. */
export interface ConversationViews {
  /** All turns of a conversation including replaced ones, newest first. */
  describeTurns(user: User, conversationId: string, page: Page): Promise<ListedTurn[]>;
  /** Steps, calls and times of a turn; prompts for developers. */
  readTrace(user: User, input: TraceInput): Promise<Trace>;
  /** Copies a conversation up to a message into a new one. */
  forkConversation(user: User, input: ForkInput): Promise<Conversation>;
  /** Writes a conversation as a file for its user. */
  exportConversation(user: User, input: ExportInput): Promise<ExportedConversation>;
  /** The user's judgement of an answer; false when the conversation has no answer of this id. */
  setFeedback(user: User, conversationId: string, given: Feedback & { messageId: string }): Promise<boolean>;
}

/** Tools without a model, and the built-in task list beside the chat. */
export interface TaskViews {
  /** Runs a tool for a client that is itself the model. */
  callTool(user: User, input: CallToolInput): Promise<CalledTool>;
  listTasks(user: User, input: { agent: string; signal: AbortSignal }): Promise<Task[]>;
  /** Returns the changed task; undefined when it was deleted. */
  changeTask(user: User, input: ChangeTaskInput): Promise<Task | undefined>;
  /** The tasks whose time has come, each reported once to a front; undefined for an agent without a task list. */
  takeReminders(user: User, input: ReminderInput): Promise<DueTasks | undefined>;
}

export function createViews(deps: ChatDeps): ConversationViews & TaskViews & KnowledgeViews {
  // Loaded when somebody looks at documents.
  const openKnowledge = async () => (await import('./knowledge-views.ts')).knowledgeViews(deps.findAgent);
  return {
    listKnowledge: async (...input) => (await openKnowledge()).listKnowledge(...input),
    openPassage: async (...input) => (await openKnowledge()).openPassage(...input),
    searchKnowledge: async (...input) => (await openKnowledge()).searchKnowledge(...input),
    describeTurns: (user, conversationId, page) => describeTurns(deps, user, { conversationId, page }),
    readTrace: async (...input) => (await import('./trace/read-trace.ts')).readTrace(deps, ...input),
    forkConversation: async (...input) => (await import('./fork.ts')).forkConversation(deps, ...input),
    exportConversation: async (...input) =>
      (await import('./export-conversation.ts')).exportConversation(deps.store, ...input),
    callTool: (user, input) => callTool(deps, user, input),
    listTasks: (user, input) => listTasks(deps, user, input),
    changeTask: (user, input) => changeTask(deps, user, input),
    takeReminders: (user, input) => takeReminders(deps, user, input),
    setFeedback: (user, conversationId, given) => deps.store.setFeedback(user, conversationId, given),
  };
}
