import type { Frame } from './translator.ts';

export const SSE = 'text/event-stream';
export const PROTOBUF = 'application/vnd.ag-ui.event+proto';

/** How frames look on the wire. */
export interface Encoding {
  contentType: string;
  keepalive?: string;
  encode(id: string, frame: Frame): string | Uint8Array;
}

export const sseEncoding: Encoding = {
  contentType: `${SSE}; charset=utf-8`,
  keepalive: ': keepalive\n\n',
  encode(id, { name, data }) {
    const event = name === undefined ? '' : `event: ${name}\n`;
    return `id: ${id}\n${event}data: ${JSON.stringify(data)}\n\n`;
  },
};

/** AG-UI's binary form: each event behind its length. Loaded only for a client that names it. */
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
