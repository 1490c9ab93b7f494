import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockPartProps } from '#features/portals/blocks/block-fields.tsx';
import { blockWords, hasTiming } from '#features/portals/blocks/block-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/items/items.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import layout from '#ui/form-layout.module.css';

const BlockFields = lazyPart(() => import('#features/portals/blocks/block-fields.tsx'), 'BlockFields', 'in-place');

interface Props extends BlockPartProps {
  place: number;
  handle: ReactNode;
  beforeSignIn: boolean;
  open: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

export function BlockCard({ form, block, at, place, handle, beforeSignIn, open, onToggle, onDelete }: Props) {
  const { t } = useTranslation('portal-blocks');
  const { language, readOnly } = useEditor();
  const bodyId = useId();
  const words = blockWords(block, language);
  return (
    <div className={classes.question} data-open={open || undefined}>
      <div className={classes.questionHead}>
        {handle}
        <button type="button" aria-expanded={open} aria-controls={bodyId} onClick={onToggle}>
          <small>{[t(`kind.${block.kind}`), hasTiming(block) && t('scheduled')].filter(Boolean).join(' · ')}</small>
          <span dir="auto">{words || (block.kind === 'advertisement' ? '' : t('untitled'))}</span>
          <IconChevronDown size={16} aria-hidden />
        </button>
        {!readOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('delete', { place })}
            title={t('delete', { place })}
            onClick={onDelete}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <div id={bodyId} hidden={!open} className={classes.questionBody}>
        {open && (
          <fieldset className={layout.fields} disabled={readOnly}>
            <BlockFields form={form} block={block} at={at} beforeSignIn={beforeSignIn} />
          </fieldset>
        )}
      </div>
    </div>
  );
}
