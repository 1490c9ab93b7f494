import { Popover, type PopoverProps } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
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
  // Escape closes an open calendar first. Mantine's own handler would close both.
  const onKey = ({ key, target }: KeyboardEvent) =>
    key === 'Escape' && !(target as Element).matches('[data-mantine-stop-propagation]') && close();
  return (
    <Popover
      opened
      closeOnEscape={false}
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
      <Popover.Dropdown p={padding} onKeyDownCapture={onKey}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
