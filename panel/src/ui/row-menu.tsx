import { Menu } from '@mantine/core';
import type { ComponentType, CSSProperties, Ref } from 'react';
import classes from '#ui/row-menu.module.css';

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
}

/** One menu for the whole table, laid over the button that asked for it: a menu per row would cost thousands of nodes. */
export function RowMenu({ label, button, actions, onClose }: Props) {
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
        <Place
          label={label}
          style={{ top: at.top + scrollY, left: at.left + scrollX, width: at.width, height: at.height }}
        />
      </Menu.Target>
      <Menu.Dropdown>
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

interface PlaceProps {
  label: string;
  style: CSSProperties;
  id?: string;
  ref?: Ref<HTMLSpanElement>;
}

/** Only the menu's place and name: the attributes of a button, which the menu hands over too, belong to the real one. */
function Place({ label, style, id, ref }: PlaceProps) {
  return (
    <span ref={ref} id={id} className={classes.place} style={style}>
      <span className="quietly">{label}</span>
    </span>
  );
}
