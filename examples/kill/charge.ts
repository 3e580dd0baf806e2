import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Charges a card at a bank that answers after half a minute, which leaves time to kill the server. */
export default async function charge({ amount }: { amount: number }) {
  appendFileSync(String(process.env.LEDGER), `charged ${amount} EUR\n`);
  await setTimeout(30_000);
  return { amount };
}
