import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';

/**
 * The SDK handles an answer at once but a notification a moment later, so an answer can overtake the progress sent
 * before it. This wrapper delays an answer until earlier notifications are handled.
 */
export function deliverInOrder(transport: Transport): Transport {
  let handler: Transport['onmessage'];
  let noted: Promise<void> | undefined;
  const take = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    try {
      handler?.(message, extra);
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const receive = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    if (!isNotification(message)) {
      if (noted) void noted.then(() => take(message, extra));
      else take(message, extra);
      return;
    }
    take(message, extra);
    const settled = setImmediate().then(() => {
      if (noted === settled) noted = undefined;
    });
    noted = settled;
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler && receive,
    set(next: Transport['onmessage']) {
      handler = next;
    },
  });
  return transport;
}

function isNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}
