import { keyVariables, type Provider } from '../schema/provider.ts';

/** The files of a new agent: name → text. They run without a key. */
export function initFiles({ name, model }: { name: string; model: string }): Record<string, string> {
  return {
    'agent.yaml': agentFile(name, model),
    'price.ts': PRICE,
    '.gitignore': '.holodeck/\n.env\n',
  };
}

function agentFile(name: string, model: string): string {
  return `# yaml-language-server: $schema=./agent.schema.json
name: ${name}
description: Keeps your tasks and knows what things cost.

${model}

instructions:
  role: You are a helpful assistant for tasks and prices
  rules:
    - You can ONLY manage tasks for the authenticated user
    - Never make up a price; ask the tool
  guidelines:
    - Keep answers short and friendly
  tools: |
    - get_price: what an article costs
    - add_task, list_tasks, complete_task, update_task, delete_task, undo_change: the user's tasks

tools:
  # Your own function, in a file next to this one.
  - name: get_price
    type: function
    file: price.ts
    description: The price of an article in a shop.
    parameters:
      type: object
      properties:
        article: { type: string, enum: [tea, coffee, milk, bread], description: what to look up }
        amount: { type: integer, minimum: 1, description: how many }
      required: [article]

  # A tool server. This one ships with HoloDeck; others are started with command and args, or reached by url.
  - name: tasks
    type: mcp
    transport: builtin
    server: tasks
    bind: { user_id: $user.id } # filled in by HoloDeck; the model never sees it
    approve: [delete_task] # asks you first

intents:
  price:
    tool: get_price
    examples: [what does tea cost?, what do 3 coffees cost?, the price of bread, how much is milk?]
    keywords: [cost, price, much]
    reply: "{amount} × {article}: {total} {currency}"
  unknown: # the reply if nothing matches
    reply: I keep your tasks, and I know what tea, coffee, milk and bread cost. Try "what do 3 coffees cost?", "remind me to buy milk tomorrow" or "what do I need to do?".

starters:
  - what do 3 coffees cost?
  - remind me to buy milk tomorrow
  - what do I need to do?

# Run them with: holodeck test agent.yaml
test_cases:
  - name: knows a price
    input: what do 3 coffees cost?
    expected_tools: [{ name: get_price, args: { article: coffee, amount: 3 } }]
    expected_content: ["9.60"]
  - name: adds a task
    input: remind me to buy milk
    expected_tools: [add_task]
    expected_tasks: [buy milk]
  - name: asks before it deletes
    turns:
      - { input: remind me to buy milk }
      - { input: delete buy milk, approve: false, expected_approvals: [delete_task] }
    expected_tasks: [buy milk]
`;
}

const PRICE = `const PRICES: Record<string, number> = { tea: 2.5, coffee: 3.2, milk: 1.4, bread: 4 };

/** The model provides the arguments and reads the returned value. */
export default function price({ article, amount = 1 }: { article: string; amount?: number }) {
  const each = PRICES[article];
  if (each === undefined) return { article, note: 'no price is known' };
  return { article, amount, each, total: (each * amount).toFixed(2), currency: 'EUR' };
}
`;

/** The `model:` block for a choice such as google/gemini-2.5-flash. */
export function modelLines(provider: Provider, name: string | undefined): string {
  const [key] = keyVariables({ provider });
  const lines = ['model:', `  provider: ${provider}`, `  name: ${name}`, ...(key ? [`  api_key: \${${key}}`] : [])];
  if (provider !== 'builtin') return lines.join('\n');
  return [
    '# The built-in model answers: no key, no network. `holodeck use` chooses another for all agents that name none,',
    '# or name one here:',
    ...modelLines('google', 'gemini-2.5-flash')
      .split('\n')
      .map((line) => `# ${line}`),
  ].join('\n');
}
