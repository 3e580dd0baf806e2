import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { userFromId } from '../../identity/user.ts';
import type { Ids } from '../../ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Task } from '../../schema/task.ts';
import type { User } from '../../schema/user.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';

/** A user of a case, with the conversation that their first turn begins. */
export interface Person {
  user: User;
  conversationId?: string;
}

/** Every name of a case stands for another user; turns without a name belong to the same one. */
export function createPeople({ timezone }: NamedCase, ids: Ids): (name?: string) => Person {
  const people = new Map<string, Person>();
  return (name = '') => {
    const about = { ...(name && { name }), ...(timezone && { timezone }) };
    const person = people.get(name) ?? { user: userFromId(ids.uuid(), about) };
    people.set(name, person);
    return person;
  };
}

/** Lets a data folder use databases that other cases have made: of spaces, and of the agent's own documents. */
export function linkDatabases(folder: string, shared: string, names = ['spaces', 'knowledge']): void {
  for (const name of names) {
    mkdirSync(join(shared, name), { recursive: true });
    symlinkSync(join(shared, name), join(folder, name), 'junction');
  }
}

const TASKS_MS = 10_000;

/** The tasks of a user; undefined for an agent without a task list. */
export async function readTasks(options: { agent: Agent; runtime: Runtime; user: User }): Promise<Task[] | undefined> {
  const { agent, runtime, user } = options;
  try {
    return await runtime.listTasks(user, { agent: agent.name, signal: AbortSignal.timeout(TASKS_MS) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
