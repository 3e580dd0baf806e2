'use client';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { useState } from 'react';

const transport = new DefaultChatTransport({ api: '/api/agents/agent/shop/ui' });

export default function Page() {
  const { messages, sendMessage, status, error } = useChat({ transport });
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sendMessage({ text });
        setText('');
      }}
    >
      <h1>The lamp shop</h1>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        disabled={status === 'submitted' || status === 'streaming'}
      />
    </form>
  );
}
