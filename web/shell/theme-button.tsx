import { useState } from 'react';
import { IconButton } from '../parts/icon-button.tsx';
import { STRINGS } from '../strings.ts';
import { readTheme, THEMES, type Theme, writeTheme } from './theme.ts';

const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    writeTheme(next);
    setTheme(next);
  };
  return <IconButton icon={ICONS[theme]} label={`${STRINGS.theme.label}: ${STRINGS.theme[theme]}`} onClick={choose} />;
}
