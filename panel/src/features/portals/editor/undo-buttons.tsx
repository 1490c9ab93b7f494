import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Undo } from '#features/portals/editor/use-undo.ts';
import { isApple } from '#lib/is-apple.ts';

export function UndoButtons({ undo, disabled }: { undo: Undo; disabled: boolean }) {
  const { t } = useTranslation('portal-editor');
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        disabled={disabled || !undo.canUndo}
        aria-label={t('undo')}
        title={`${t('undo')} (${isApple ? '⌘Z' : 'Ctrl Z'})`}
        onClick={undo.undo}
      >
        <IconArrowBackUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        disabled={disabled || !undo.canRedo}
        aria-label={t('redo')}
        title={`${t('redo')} (${isApple ? '⇧⌘Z' : 'Shift Ctrl Z'})`}
        onClick={undo.redo}
      >
        <IconArrowForwardUp size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}
