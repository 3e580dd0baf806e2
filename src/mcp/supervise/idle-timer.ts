import type { Clock } from '../../clock.ts';

export interface IdleTimer {
  readonly isBusy: boolean;
  /** Records a use now. */
  touch(): void;
  during<T>(use: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Calls back after `idleMs` without use; without `idleMs` it only tracks whether something is in use. */
export function createIdleTimer(options: { clock: Clock; idleMs?: number }, onIdle: () => void): IdleTimer {
  const { clock, idleMs } = options;
  let uses = 0;
  let cancel = () => {};
  const touch = () => {
    cancel();
    if (idleMs !== undefined && uses === 0) cancel = clock.after(idleMs, onIdle);
  };
  return {
    get isBusy() {
      return uses > 0;
    },
    touch,
    async during(use) {
      uses++;
      cancel();
      try {
        return await use();
      } finally {
        uses--;
        touch();
      }
    },
    stop: () => cancel(),
  };
}
