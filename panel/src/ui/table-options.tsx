import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#lib/lazy-part.tsx';
import classes from '#ui/table-options.module.css';
import type { TableOptionsProps } from '#ui/table-options-popover.tsx';

const TableOptionsPopover = lazyPart(() => import('#ui/table-options-popover.tsx'), 'TableOptionsPopover');

/** The button that opens saved views, columns and density of a list. Stands in its filter bar. */
export function TableOptions(props: TableOptionsProps) {
  const { t } = useTranslation('table');
  const [button, setButton] = useState<HTMLElement>();
  // The press is drawn first. The columns take longer.
  const open = (opener: HTMLElement) => startTransition(() => setButton(opener));
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-expanded={button !== undefined}
        onClick={event => open(event.currentTarget)}
      >
        <IconAdjustmentsHorizontal size={16} aria-hidden />
        {t('view')}
      </button>
      {button && <TableOptionsPopover {...props} button={button} onClose={() => setButton(undefined)} />}
    </>
  );
}
