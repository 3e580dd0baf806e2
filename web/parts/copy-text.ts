/** Copies text. Browsers offer the clipboard API only over HTTPS or from this machine; elsewhere a field is used. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // A refused permission leaves the other way.
    }
  }
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
