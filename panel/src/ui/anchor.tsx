import { type CSSProperties, type Ref, useLayoutEffect, useRef } from 'react';
import classes from '#ui/anchor.module.css';

interface Props {
  /** The name of what hangs from it. */
  label: string;
  button: HTMLElement;
  onClose: () => void;
  /** These two come from the menu or popover around it. */
  id?: string;
  ref?: Ref<HTMLButtonElement>;
}

/**
 * Lies over a button of the page, so that a menu can hang from a button that was there before the menu's code. A click
 * on the button while the menu is open lands here and closes it. Attributes of a button, which the menu hands over as
 * well, stay with the real one.
 */
export function Anchor({ label, button, onClose, id, ref }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const size: CSSProperties = { width: button.offsetWidth, height: button.offsetHeight };
  // Whatever it is positioned by (the page, a dialog, the sticky header): moved from there to the button.
  useLayoutEffect(() => {
    const node = own.current;
    if (!node) return;
    node.style.transform = '';
    const [here, there] = [node.getBoundingClientRect(), button.getBoundingClientRect()];
    node.style.transform = `translate(${there.left - here.left}px, ${there.top - here.top}px)`;
  }, [button]);
  const keep = (node: HTMLButtonElement | null) => {
    own.current = node;
    if (typeof ref === 'function') return ref(node);
    if (ref) ref.current = node;
  };
  return (
    <button
      ref={keep}
      id={id}
      type="button"
      tabIndex={-1}
      className={classes.anchor}
      style={size}
      aria-label={label}
      onClick={onClose}
    />
  );
}
