import { CopyButton } from '../parts/copy-button.tsx';

/** Source text as it is; it scrolls inside itself. */
export function Code({ text, language }: { text: string; language: string }) {
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
