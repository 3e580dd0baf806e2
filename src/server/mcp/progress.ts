import type { ServerContext } from '@modelcontextprotocol/server';

/** Reports the progress of a call to the client. */
export interface Progress {
  text(delta: string): void;
  step(name: string): void;
  /** Resolves when everything is sent: a report must not follow the result. */
  sent(): Promise<void>;
}

/** Joins texts that arrive while a report is being sent. Without a token the client wants no reports. */
export function createProgress({ _meta, notify }: ServerContext['mcpReq']): Progress {
  const progressToken = _meta?.progressToken;
  const waiting: { message: string; isText: boolean }[] = [];
  let progress = 0;
  let sending: Promise<void> | undefined;

  const flush = async () => {
    for (let next = waiting.shift(); next && progressToken !== undefined; next = waiting.shift()) {
      progress++;
      const params = { progressToken, progress, message: next.message };
      await notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    sending = undefined;
  };
  const add = (message: string, isText: boolean) => {
    const last = waiting.at(-1);
    if (last?.isText && isText) last.message += message;
    else waiting.push({ message, isText });
    sending ??= flush();
  };
  return {
    text: (delta) => add(delta, true),
    step: (name) => add(`[${name}]`, false),
    async sent() {
      await sending;
    },
  };
}
