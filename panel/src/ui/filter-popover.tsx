import { AnchoredPopover } from '#ui/anchored-popover.tsx';
import type { Filter } from '#ui/filter.ts';
import { FilterEditor } from '#ui/filter-editor.tsx';

interface Props {
  filter: Filter;
  value: string | undefined;
  button: HTMLElement;
  onChange: (value: string | undefined) => void;
  onClose: () => void;
}

/** The popover of a filter. Popover and editor load together, so that it never opens empty and can focus the first field. */
export const FilterPopover = ({ filter, value, button, onChange, onClose }: Props) => (
  <AnchoredPopover
    label={filter.label}
    button={button}
    position="bottom-start"
    width={280}
    padding={12}
    onClose={onClose}
  >
    <FilterEditor filter={filter} value={value} onChange={onChange} onDone={onClose} />
  </AnchoredPopover>
);
