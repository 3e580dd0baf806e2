import { usePage } from '../state/context.ts';

export function Toast() {
  const toast = usePage((state) => state.toast);
  return (
    <div className="toast-place" aria-live="polite">
      {toast && <p className={toast.isProblem ? 'toast bad' : 'toast'}>{toast.text}</p>}
    </div>
  );
}
