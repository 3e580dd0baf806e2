import { pathToFileURL } from 'node:url';
import { runNode } from './run-node.ts';

/**
 * Returns the reason if a file lacks this export. Node links a module with all its imports before it runs any of them,
 * and the first import here ends the process. So none of the author's code runs.
 */
export async function findLinkFault(
  { path, exportName }: { path: string; exportName: string },
  signal?: AbortSignal,
): Promise<string | undefined> {
  const stop = `import 'data:text/javascript,process.exit(0)';`;
  const url = pathToFileURL(path).href;
  const wanted = `import { ${JSON.stringify(exportName)} as wanted } from ${JSON.stringify(url)};`;
  const { isGood, errors } = await runNode(['--no-warnings', '--input-type=module', '-e', stop + wanted], { signal });
  if (isGood) return undefined;
  const message = /^\w*Error(?: \[\w+\])?: (.*)$/m.exec(errors)?.[1];
  if (message?.includes(`'${url}' does not provide an export`)) return `it has no export named ${exportName}`;
  return message;
}
