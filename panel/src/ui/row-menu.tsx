import { Menu } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { Anchor } from '#ui/anchor.tsx';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  danger?: boolean;
}

interface Props {
  /** What the menu is for. */
  label: string;
  button: HTMLElement;
  actions: readonly RowAction[];
  onClose: () => void;
  /** Stands above the actions. */
  head?: ReactNode;
}

/** A menu under a button. A table has one for all its rows: a menu per row would cost thousands of nodes. */
export function RowMenu({ label, button, actions, onClose, head }: Props) {
  const close = () => {
    onClose();
    button.focus();
  };
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-end"
      offset={4}
      returnFocus={false}
      trapFocus
      withinPortal={false}
      width={head ? 240 : 200}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Anchor label={label} button={button} onClose={close} />
      </Menu.Target>
      <Menu.Dropdown>
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
