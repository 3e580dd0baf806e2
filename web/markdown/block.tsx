import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { Code } from './code.tsx';
import { type Figures, Inline } from './inline.tsx';
import { Table } from './table.tsx';

/** Headings of an answer begin at the third level: the page and the agent have the first two. */
const HEADINGS = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

/** A piece of Markdown as elements. */
export function MarkdownBlock({ token, figures }: { token: Token; figures?: Figures | undefined }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      const Heading = HEADINGS[depth] ?? 'h6';
      return (
        <Heading dir="auto">
          <Inline tokens={tokens} figures={figures} />
        </Heading>
      );
    }
    case 'code':
      return <Code text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} />;
    case 'table':
      return <Table table={token as Tokens.Table} figures={figures} />;
    case 'list':
      return <List list={token as Tokens.List} drawItem={(tokens) => <Blocks tokens={tokens} figures={figures} />} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={(token as Tokens.Blockquote).tokens} figures={figures} />
        </blockquote>
      );
    case 'html':
      return (
        <p className="raw" dir="auto">
          {token.raw.trim()}
        </p>
      );
    case 'text':
      return <Inline tokens={(token as Tokens.Text).tokens ?? [token]} figures={figures} />;
    default:
      return (
        <p dir="auto">
          <Inline tokens={(token as Tokens.Paragraph).tokens ?? [token]} figures={figures} />
        </p>
      );
  }
}

function Blocks({ tokens, figures }: { tokens: readonly Token[]; figures?: Figures | undefined }) {
  // Pieces never change places within a text.
  return tokens.map((token, index) => <MarkdownBlock key={`${index}.${token.type}`} token={token} figures={figures} />);
}

interface ListProps {
  list: Tokens.List;
  drawItem(tokens: readonly Token[]): ReactNode;
}

function List({ list, drawItem }: ListProps) {
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
