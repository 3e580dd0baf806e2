/** The mark of the product; the same as in icon.svg. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path d="M10 8v16M22 8v16M10 16h12" />
    </svg>
  );
}
