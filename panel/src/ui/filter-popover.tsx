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

/** What opens under a filter's chip: fetched in one go, so that it never hangs there empty and the focus finds its first field. */
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
