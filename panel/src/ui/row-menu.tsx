import { Menu } from '@mantine/core';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Anchor } from '#ui/anchor.tsx';
import classes from '#ui/row-menu.module.css';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  danger?: boolean;
  /** Why the action can't be used now. The entry can still be reached by key. */
  reason?: string | undefined;
}

interface Props {
  /** The accessible name of the menu. */
  label: string;
  button: HTMLElement;
  actions: readonly RowAction[];
  onClose: () => void;
  /** Stands above the actions. */
  head?: ReactNode;
}

/** A menu below a button. A table has one for all rows, because a menu per row would cost thousands of nodes. */
export function RowMenu({ label, button, actions, onClose, head }: Props) {
  const close = () => {
    onClose();
    button.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    // The dropdown takes a frame or two to be positioned, and cannot receive focus before.
    const focusFirst = (left: number) => {
      const first = list.current?.querySelector<HTMLElement>('[role=menuitem]');
      first?.focus({ preventScroll: true });
      if (left > 0 && (!first || document.activeElement !== first))
        frame = requestAnimationFrame(() => focusFirst(left - 1));
    };
    frame = requestAnimationFrame(() => focusFirst(20));
    return () => cancelAnimationFrame(frame);
  }, []);
  const leaveByTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    close();
  };
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-end"
      offset={4}
      returnFocus={false}
      trapFocus={false}
      withinPortal={false}
      width={head || actions.some(it => it.reason) ? 240 : 200}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Anchor label={label} button={button} onClose={close} />
      </Menu.Target>
      <Menu.Dropdown ref={list} onKeyDown={leaveByTab}>
        {head}
        {actions.map(({ label: words, icon: Icon, onClick, danger, reason }) => (
          <Menu.Item
            key={words}
            {...(danger && { c: 'var(--bad)' })}
            {...(reason
              ? { 'aria-disabled': true, closeMenuOnClick: false, className: classes.barred ?? '' }
              : { onClick })}
            leftSection={<Icon size={16} />}
          >
            {words}
            {reason && <small className={classes.reason}>{reason}</small>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
