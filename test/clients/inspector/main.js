import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Asks the agent with the command-line mode of the MCP inspector, and prints one line of JSON per step.
const { AGENT, HOLODECK, URL: url } = process.env;
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const { default: inspector } = await import(manifest, { with: { type: 'json' } });
const program = join(dirname(manifest), Object.values(inspector.bin)[0]);

const overHttp = [`${url}/mcp`, '--transport', 'http', '--header', 'Authorization: Bearer alice'];
const overStdio = [process.execPath, HOLODECK, 'mcp', 'agent', AGENT];

function inspect(server, ...args) {
  return new Promise((resolve) => {
    // The inspector keeps a catalog and tokens in the home folder.
    const env = { ...process.env, HOME: import.meta.dirname };
    execFile(process.execPath, [program, '--cli', ...server, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function print(step, server, ...args) {
  const { code, stdout, stderr } = await inspect(server, ...args);
  console.log(JSON.stringify({ step, code, ...(stdout === '' ? toError(stderr) : toShown(JSON.parse(stdout))) }));
}

const toError = (stderr) => ({ error: JSON.parse(stderr).error.code });

function toShown({ tools, resources, structuredContent }) {
  if (tools) return { tools: tools.map(({ name }) => name) };
  if (resources) return { resources: resources.map(({ title }) => title) };
  const { content, status } = structuredContent;
  return { content, status };
}

for (const [name, server] of [
  ['http', overHttp],
  ['stdio', overStdio],
]) {
  const ask = (message) => ['--method', 'tools/call', '--tool-name', 'ask_helper', '--tool-arg', `message=${message}`];
  await print(`${name} list`, server, '--method', 'tools/list', '--strict');
  await print(`${name} ask`, server, ...ask('hello'));
  await print(`${name} resources`, server, '--method', 'resources/list');
  if (server === overHttp) {
    await print('tool', server, ...ask('use a tool'));
    await print('approval', server, ...ask('remove all'));
    await print('failure', server, ...ask('fail'));
  }
}
await print('stranger', overHttp.with(-1, 'Authorization: Bearer mallory'), '--method', 'tools/list');
