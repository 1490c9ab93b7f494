import { type CSSProperties, type Ref, useLayoutEffect, useRef } from 'react';
import classes from '#ui/anchor.module.css';

interface Props {
  /** The name of the menu or popover. */
  label: string;
  button: HTMLElement;
  onClose: () => void;
  /** Passed in by the surrounding menu or popover. */
  id?: string;
  ref?: Ref<HTMLButtonElement>;
}

/**
 * Covers a button of the page, so that a menu can be anchored to a button that existed before the menu's code. A click
 * on the button while the menu is open lands here and closes it. The button attributes that the menu passes
 * are left to the real button.
 */
export function Anchor({ label, button, onClose, id, ref }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const size: CSSProperties = { width: button.offsetWidth, height: button.offsetHeight };
  // Moved from its containing block (page, dialog or sticky header) to the button.
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
