import { Popover, type PopoverProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchor } from '#ui/anchor.tsx';

interface Props {
  /** The accessible name of the popover. */
  label: string;
  button: HTMLElement;
  position: NonNullable<PopoverProps['position']>;
  width: NonNullable<PopoverProps['width']>;
  padding?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A popover below a button that exists before this code loads. It is mounted only while it is open. */
export function AnchoredPopover({ label, button, position, width, padding = 0, onClose, children }: Props) {
  const close = () => {
    onClose();
    button.focus();
  };
  return (
    <Popover
      opened
      onChange={opened => !opened && close()}
      position={position}
      width={width}
      offset={6}
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Anchor label={label} button={button} onClose={close} />
      </Popover.Target>
      <Popover.Dropdown p={padding}>{children}</Popover.Dropdown>
    </Popover>
  );
}
