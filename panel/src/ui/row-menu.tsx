import { Menu } from '@mantine/core';
import type { ComponentType } from 'react';
import classes from '#ui/row-menu.module.css';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  danger?: boolean;
}

interface Props {
  button: HTMLElement;
  actions: readonly RowAction[];
  onClose: () => void;
}

/** One menu for the whole table, laid over the button that asked for it: a menu per row would cost thousands of nodes. */
export function RowMenu({ button, actions, onClose }: Props) {
  const at = button.getBoundingClientRect();
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
      width={200}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <span
          className={classes.place}
          style={{ top: at.top + scrollY, left: at.left + scrollX, width: at.width, height: at.height }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, onClick, danger }) => (
          <Menu.Item
            key={label}
            {...(danger && { c: 'var(--bad)' })}
            leftSection={<Icon size={16} />}
            onClick={onClick}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
