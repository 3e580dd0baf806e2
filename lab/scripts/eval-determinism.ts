import { openTalk } from '../../src/builtin/talk-fixture.ts';

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The share of conversations that are identical to the first: same calls, same text. */
export async function scoreDeterminism(texts: readonly string[], runs = 10): Promise<number> {
  const first = await holdConversation(texts);
  let same = 1;
  for (let run = 1; run < runs; run++) if ((await holdConversation(texts)) === first) same += 1;
  return same / runs;
}

/** The texts and calls of a conversation. Task ids are left out: the store creates new ones each time. */
async function holdConversation(texts: readonly string[]): Promise<string> {
  const { say } = openTalk();
  const said = [];
  for (const text of texts) said.push(await say(text));
  const known = new Map<string, string>();
  return JSON.stringify(said).replace(IDS, (id) => {
    known.set(id, known.get(id) ?? `task-${known.size + 1}`);
    return String(known.get(id));
  });
}
