import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';

interface ListProps {
  list: Tokens.List;
  drawItem(tokens: readonly Token[]): ReactNode;
}

export function List({ list, drawItem }: ListProps) {
  const items = list.items.map((item, index) => (
    <li key={`${index}.${item.task}`} className={item.task ? 'task' : undefined}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly disabled aria-label={item.text} />}
      {drawItem(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ));
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  );
}
