import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { deliverInOrder } from './deliver-in-order.ts';

const note: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress' };
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

function buildTransport(handler: (message: JSONRPCMessage) => void) {
  const errors: string[] = [];
  const transport: Transport = {
    start: async () => {},
    send: async () => {},
    close: async () => {},
    onerror: (error) => errors.push(error.message),
  };
  deliverInOrder(transport).onmessage = handler;
  return { errors, receive: (...messages: JSONRPCMessage[]) => messages.forEach((m) => void transport.onmessage?.(m)) };
}

describe('deliverInOrder', () => {
  it('takes an answer after what a notification before it set going, and keeps the order', async () => {
    const taken: string[] = [];
    const { receive } = buildTransport((message) => {
      if ('method' in message) void Promise.resolve().then(() => taken.push('note'));
      else taken.push(`answer ${message.id}`);
    });
    receive(answer(1), note, answer(2), note, answer(3));
    await expect.poll(() => taken.length).toBe(5);
    expect(taken).toEqual(['answer 1', 'note', 'note', 'answer 2', 'answer 3']);
  });

  it('reports what a handler throws and goes on', async () => {
    const { errors, receive } = buildTransport(() => {
      throw new Error('bad message');
    });
    receive(note, answer(1));
    await expect.poll(() => errors).toEqual(['bad message', 'bad message']);
  });

  it('has no handler until one is set, as its users expect', () => {
    const transport = deliverInOrder({ start: async () => {}, send: async () => {}, close: async () => {} });
    expect(transport.onmessage).toBeUndefined();
  });
});
