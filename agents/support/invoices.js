const INVOICES = [
  { number: 1042, amount: '89.00 EUR', state: 'paid', due: '2026-10-12' },
  { number: 1043, amount: '24.50 EUR', state: 'open', due: '2026-12-01' },
  { number: 1044, amount: '310.00 EUR', state: 'overdue', due: '2026-11-05' },
];

/** A real function would ask the accounts of the shop. */
export default function findInvoice({ number }) {
  const found = INVOICES.find((invoice) => invoice.number === number);
  if (!found) throw new Error(`there is no invoice ${number}`);
  return found;
}
