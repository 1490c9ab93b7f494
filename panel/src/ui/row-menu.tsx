import { Menu } from '@mantine/core';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Anchor } from '#ui/anchor.tsx';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  danger?: boolean;
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
      width={head ? 240 : 200}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Anchor label={label} button={button} onClose={close} />
      </Menu.Target>
      <Menu.Dropdown ref={list} onKeyDown={leaveByTab}>
        {head}
        {actions.map(({ label: words, icon: Icon, onClick, danger }) => (
          <Menu.Item
            key={words}
            {...(danger && { c: 'var(--bad)' })}
            leftSection={<Icon size={16} />}
            onClick={onClick}
          >
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
