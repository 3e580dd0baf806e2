import { useState } from 'react';
import { IconButton } from '../parts/icon.tsx';
import { STRINGS } from '../strings.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'holodeck.theme';

export function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

function writeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts until the next refresh.
  }
}

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
