import { spawnSync } from 'node:child_process';

// Generates a TypeScript client from the server's /openapi.json, compiles a program against it, and runs the program.
const run = (file, args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${file}`, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file}: ${stdout}${stderr}`);
  return stdout;
};
const print = (step, value) => console.log(JSON.stringify({ step, ...value }));

run('openapi-typescript/bin/cli.js', [`${process.env.URL}/openapi.json`, '-o', 'api.d.ts']);
print('compiled', { faults: run('typescript/bin/tsc', ['-p', '.']) });
const { use } = await import('./use.ts');
await use(process.env.URL, print);
