import type { StreamFrame } from '../stream/translator.ts';

export const SSE = 'text/event-stream';
export const PROTOBUF = 'application/vnd.ag-ui.event+proto';

/** The wire format of frames. */
export interface Encoding {
  contentType: string;
  keepalive?: string;
  encode(id: string, frame: StreamFrame): string | Uint8Array;
}

export const sseEncoding: Encoding = {
  contentType: `${SSE}; charset=utf-8`,
  keepalive: ': keepalive\n\n',
  encode(id, { name, data }) {
    const event = name === undefined ? '' : `event: ${name}\n`;
    return `id: ${id}\n${event}data: ${JSON.stringify(data)}\n\n`;
  },
};

/** AG-UI's binary format: each event is preceded by its length. Loaded only for a client that requests it. */
export async function openProtobufEncoding(): Promise<Encoding> {
  const { encode } = await import('@ag-ui/proto');
  return {
    contentType: PROTOBUF,
    encode(_id, { data }) {
      const bytes = encode(data as Parameters<typeof encode>[0]); // frames of agui-out.ts are AG-UI events
      const framed = new Uint8Array(4 + bytes.length);
      new DataView(framed.buffer).setUint32(0, bytes.length, false);
      framed.set(bytes, 4);
      return framed;
    },
  };
}
