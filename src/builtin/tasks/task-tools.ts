import type { ToolDefinition } from '../../models/model.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import { isObject } from '../../schema/json.ts';

export type TaskAction = 'create' | 'list' | 'complete' | 'delete' | 'update';
export type TaskToolNames = Partial<Record<TaskAction | 'undo', string>>;

/** The intents of an agent that keeps tasks, by what they do. */
export const INTENT_NAMES: Readonly<Record<TaskAction, string>> = {
  create: 'create_task',
  list: 'list_tasks',
  complete: 'complete_task',
  delete: 'delete_task',
  update: 'update_task',
};

const TOOL_NAMES: Readonly<Record<TaskAction, RegExp>> = {
  create: /^(?:add|create|new)_?(?:task|todo)s?$/i,
  list: /^(?:list|get|show)_?(?:all_?)?(?:task|todo)s$/i,
  complete: /^(?:complete|finish|close)_?(?:task|todo)s?$/i,
  delete: /^(?:delete|remove)_?(?:task|todo)s?$/i,
  update: /^(?:update|edit|rename)_?(?:task|todo)s?$/i,
};

/** The task server's tool that takes a whole turn back. It belongs to the task talk, not to the other tools. */
export function isUndoTool(name: string): boolean {
  return /undo_change$/i.test(name);
}

/** Which of the offered tools do what to tasks: as the agent's intents say, otherwise by their names. */
export function findTaskTools(
  tools: readonly ToolDefinition[],
  intents: Readonly<Record<string, IntentConfig>>,
): TaskToolNames {
  const offered = tools.map((tool) => tool.name);
  const names: TaskToolNames = {};
  for (const action of Object.keys(INTENT_NAMES) as TaskAction[]) {
    const named = intents[INTENT_NAMES[action]]?.tool;
    const name = offered.find((tool) => tool === named) ?? offered.find((tool) => TOOL_NAMES[action].test(tool));
    if (name !== undefined) names[action] = name;
  }
  const undo = offered.find(isUndoTool);
  return undo === undefined ? names : { ...names, undo };
}

/** Task talk makes sense where there are tasks to see and something to do with them. */
export function keepsTasks(names: TaskToolNames): boolean {
  return names.create !== undefined && names.list !== undefined;
}

/** The names of what an offered tool takes. */
export function argumentNames(tools: readonly ToolDefinition[], name: string | undefined): string[] {
  const properties = tools.find((tool) => tool.name === name)?.inputSchema.properties;
  return isObject(properties) ? Object.keys(properties) : [];
}
