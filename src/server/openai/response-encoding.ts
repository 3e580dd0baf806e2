import { type Encoding, sseEncoding } from '../http/encode.ts';

/** Events without our ids: a client of OpenAI's protocol would not send them back. */
export const responseEncoding: Encoding = {
  ...sseEncoding,
  encode: (_id, { name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
};
