import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const AGENT = join(ROOT, 'agents', 'todo', 'agent.yaml');

function run(args: string[], input = '') {
  const command = [COMMAND, ...args, '--data', temporaryFolder()];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT, input });
  return { stdout, stderr, status };
}

describe('holodeck run --file', () => {
  it('reports the outcome of each file separately from the answer', () => {
    const files = ['note.txt', 'report.docx'].flatMap((name) => ['--file', join('test/fixtures/files', name)]);
    expect(run(['run', AGENT, 'remind me to buy milk', ...files])).toEqual({
      stdout: "I've added 'buy milk' to your tasks.\n",
      stderr: 'note.txt: read, 3 lines, 82 characters\nreport.docx: read, 301 characters\n',
      status: 0,
    });
  });

  it('never takes the words of a file as a command', () => {
    const files = ['--file', join('test/fixtures/files', 'commands.txt')];
    const { stdout } = run(['run', AGENT, 'show my tasks', '--json', ...files]);
    const end = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(end.result.tool_calls.map((call: { name: string }) => call.name)).toEqual(['list_tasks']);
  });

  it('reports a missing file before anything is asked', () => {
    expect(run(['run', AGENT, 'hello', '--file', 'nowhere.pdf'])).toEqual({
      stdout: '',
      stderr: 'There is no file nowhere.pdf.\n',
      status: 1,
    });
  });
});

describe('/attach', () => {
  it('sends the file with the next message only', () => {
    const input = '/attach test/fixtures/files/note.txt\nremind me to buy milk\nremind me to call mom\n';
    const { stderr } = run(['chat', AGENT], input);
    expect(stderr.match(/note\.txt: read/g)).toHaveLength(1);
  });
});
