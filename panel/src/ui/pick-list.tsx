import { IconCheck, IconSearch } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { folded } from '#lib/folded.ts';
import classes from '#ui/pick-list.module.css';

export interface PickOption {
  id: string;
  label: string;
  hint?: string | undefined;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** It was found for the typed text, which need not be in its label. */
  isFound?: boolean;
}

interface Props {
  /** The search box's placeholder and name. */
  label: string;
  options: readonly PickOption[];
  chosen?: string;
  /** Called with the typed text, when more options come from the server. */
  onType?: ((typed: string) => void) | undefined;
  /** Called when the box has the focus; returns what was typed for it before. */
  onReady?: (() => string) | undefined;
  /** More options are loading. */
  pending?: boolean;
  onPick: (id: string) => void;
}

/** The number of options rendered at once. */
const maxOptions = 60;

/** A search box above a list, with arrow key navigation. */
export function PickList({ label, options, chosen, onType, onReady, pending = false, onPick }: Props) {
  const { t } = useTranslation();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const found = options
    .filter(
      option => option.isFound || words.every(word => folded(`${option.label} ${option.hint ?? ''}`).includes(word)),
    )
    .slice(0, maxOptions);

  useEffect(() => {
    // Measures the layout, so only after a move. A new list begins at its top.
    if (at > 0) list.current?.querySelector('[data-at]')?.scrollIntoView({ block: 'nearest' });
    else if (list.current) list.current.scrollTop = 0;
  }, [at]);

  const isAnswered = isEntered && !pending;
  const id = found[at]?.id;
  useEffect(() => {
    if (!isAnswered) return;
    setEntered(false);
    if (id !== undefined) onPick(id);
  }, [isAnswered, id, onPick]);

  const type = (text: string) => {
    setTyped(text);
    onType?.(text);
    setAt(0);
    setEntered(false);
  };
  const move = (event: KeyboardEvent) => {
    const option = found[at];
    // What the server found before is for another text: Enter waits for the answer.
    if (event.key === 'Enter' && pending && (!option || option.isFound)) setEntered(true);
    else if (event.key === 'Enter' && option) onPick(option.id);
    else if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes.pick}>
      <div className={classes.box}>
        <IconSearch size={16} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[at] ? `${listId}-${at}` : undefined}
          aria-label={label}
          placeholder={label}
          value={typed}
          onChange={event => type(event.currentTarget.value)}
          onFocus={() => {
            const before = onReady?.();
            if (before) type(typed + before);
          }}
          onKeyDown={move}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={label} className={classes.list}>
        {found.map(({ id, label: name, hint, icon: Icon }, i) => (
          // The keyboard is handled by the search box; this handles the pointer.
          // biome-ignore lint: see above.
          <div
            key={id}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={id === chosen}
            data-at={i === at || undefined}
            className={classes.option}
            onMouseMove={() => i !== at && setAt(i)}
            onClick={() => onPick(id)}
          >
            <Icon size={17} stroke={1.6} aria-hidden />
            <div className={classes.words}>
              <span>{name}</span>
              {hint && <small>{hint}</small>}
            </div>
            {id === chosen && <IconCheck size={16} aria-hidden />}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.nothing} role="status">
          {t(pending ? 'loading' : 'list.noMatchTitle')}
        </p>
      )}
    </div>
  );
}
