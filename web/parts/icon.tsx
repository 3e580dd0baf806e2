import type { ButtonHTMLAttributes, Ref } from 'react';

const PATHS = {
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  wait: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  question: 'M9.5 9a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5h.01',
  chevron: 'M9 6l6 6-6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  retry: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  branch: 'M7 5v14M7 12c6 0 10-1 10-6M17 4v2M5 5h4M5 19h4',
  trace: 'M4 6h9M8 12h9M12 18h8',
  up: 'M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1 2.5 2.5V9H19a1.5 1.5 0 0 1 1.5 1.8l-1.3 7A2.5 2.5 0 0 1 16.7 20H7',
  thumbDown: 'M17 13V4h3v9zM17 13l-4 7c-1.5 0-2.5-1-2.5-2.5V15H5a1.5 1.5 0 0 1-1.5-1.8l1.3-7A2.5 2.5 0 0 1 7.3 4H17',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  attach: 'M19 12l-7 7a5 5 0 0 1-7-7l8-8a3.3 3.3 0 0 1 4.7 4.7l-8 8a1.7 1.7 0 0 1-2.4-2.4l7-7',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  alert: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14a8 8 0 1 1-9.5-10A6.5 6.5 0 0 0 20 14z',
  auto: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18',
  keyboard: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  panel: 'M4 5h16v14H4zM14 5v14',
  export: 'M12 15V4M8 8l4-4 4 4M5 14v6h14v-6',
  flask: 'M10 3v6L5 19a1.4 1.4 0 0 0 1 2h12a1.4 1.4 0 0 0 1-2L14 9V3M8 3h8M8 15h8',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative line icon. The name of its button is in the button. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button whose only content is an icon. */
export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

/** The mark of the product; the same as in icon.svg. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path d="M10 8v16M22 8v16M10 16h12" />
    </svg>
  );
}
