import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

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
