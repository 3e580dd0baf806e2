import type { Readable, Writable } from 'node:stream';
import { createAgentServer } from './agent-server.ts';
import type { FaceOptions } from './mcp-call.ts';

/**
 * Serves agents to the process that started us, until it leaves. Standard output belongs to the protocol: nothing else
 * may write to it.
 */
export async function serveAgent(
  options: Omit<FaceOptions, 'takeTurn'>,
  { input = process.stdin, output = process.stdout }: { input?: Readable; output?: Writable } = {},
): Promise<void> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const closed = Promise.withResolvers<void>();
  input.once('end', closed.resolve).once('close', closed.resolve);
  const transport = new stdio.StdioServerTransport(input, output);
  // This process is started by a person for themselves, so there is no rate to limit.
  const handle = stdio.serveStdio(() => createAgentServer({ ...options, takeTurn: () => {} }, sdk), { transport });
  await closed.promise;
  await handle.close();
}
