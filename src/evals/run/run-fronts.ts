import { rm } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { toAppError } from '../../errors.ts';
import type { Ids } from '../../ids.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import { createRuntime, type Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import { turnsOf } from '../../schema/tests/test-case.ts';
import type { User } from '../../schema/user.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';
import { addEntries, type Cassette, type Entry } from '../cassette/cassette.ts';
import { cleanText } from '../cassette/clean-pieces.ts';
import { createReplay } from '../cassette/replay.ts';
import { createReplayRedactor, createTapeRedactor } from '../cassette/tape-redactor.ts';
import { describeDifference } from '../cassette/tape-request.ts';
import { createPeople, linkDatabases, makeCaseFolder, openCaseFiles, readTasks } from './case-parts.ts';

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

export interface FrontsOptions {
  agent: Agent;
  cassette: Cassette;
  clock: Clock;
  ids: Ids;
  fronts: readonly CaseFront[];
  spaces?: string;
}

/** Repeats a recorded case through every front and adds the bytes to its cassette. Returns a reason if one cannot. */
export async function recordFronts(
  testCase: NamedCase,
  { path, ...options }: FrontsOptions & { path: string },
): Promise<string | undefined> {
  const entries: Entry[] = [];
  const redactor = createTapeRedactor(options.agent);
  for (const front of options.fronts) {
    const { bytes, difference } = await runThrough(front, testCase, options);
    if (difference !== undefined) return `the recording cannot be repeated through ${front.name}: ${difference}`;
    const reply = bytes.map((text) => cleanText(text, redactor));
    entries.push({ at_ms: 0, kind: 'front', request: front.name, reply });
  }
  addEntries(path, entries);
  return undefined;
}

/** Repeats a recorded case through every front. Returns the first difference in the bytes, for people. */
export async function replayFronts(testCase: NamedCase, options: FrontsOptions): Promise<string | undefined> {
  const redactor = createReplayRedactor(options.agent, options.cassette);
  for (const front of options.fronts) {
    const recorded = options.cassette.entries.find(({ kind, request }) => kind === 'front' && request === front.name);
    if (!recorded) continue;
    const run = await runThrough(front, testCase, options);
    if (run.difference !== undefined) return `${front.name}: ${run.difference}`;
    const bytes = run.bytes.map((text) => cleanText(text, redactor));
    if (JSON.stringify(bytes) !== JSON.stringify(recorded.reply)) {
      return `the bytes of ${front.name} differ from the recording:\n${describeDifference(recorded.reply, bytes)}`;
    }
  }
  return undefined;
}

interface FrontRun {
  /** Of every turn. */
  bytes: string[];
  difference?: string | undefined;
}

async function runThrough(
  front: CaseFront,
  testCase: NamedCase,
  { agent, cassette, clock, ids, spaces }: FrontsOptions,
): Promise<FrontRun> {
  const tape = createReplay({ agent, cassette, clock, ids });
  const folder = await makeCaseFolder('front');
  if (spaces) linkDatabases(folder, spaces);
  const runtime = await createRuntime({ agents: [agent], folder, clock: tape.clock, ids: tape.ids, tap: tape.tap });
  const opened = front.open(runtime);
  const bytes: string[] = [];
  try {
    const people = createPeople(testCase, tape.ids);
    for (const turn of turnsOf(testCase)) {
      const { user } = people(turn.user);
      const files = await openCaseFiles(turn.files ?? [], agent.folder);
      bytes.push(await opened.send(user, { message: turn.input, files, approve: turn.approve }));
      if (turn.expected_tasks) await readTasks({ agent, runtime, user });
    }
    return { bytes, difference: tape.finish() };
  } catch (error) {
    return { bytes, difference: tape.finish() ?? toAppError(error).message };
  } finally {
    await opened.close();
    await runtime.stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}
