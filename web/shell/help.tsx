import { Sheet } from '../parts/panel.tsx';
import { useActions } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

export default function Help() {
  const actions = useActions();
  const close = () => actions.set({ isHelpOpen: false });
  return (
    <Sheet className="help" label={STRINGS.help.title} onClose={close}>
      <h2>{STRINGS.help.title}</h2>
      <dl>
        {STRINGS.help.keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        {STRINGS.help.close}
      </button>
    </Sheet>
  );
}
