import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNavigation } from '#app/navigation.ts';
import classes from '#app/spotlight.module.css';
import modal from '#ui/modal.module.css';
import { PickList } from '#ui/pick-list.tsx';

/** Opens any screen by name. */
export function Spotlight({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const groups = useNavigation();
  const options = groups.flatMap(group =>
    group.entries.map(entry => ({ id: entry.to, label: entry.label, hint: group.label, icon: entry.icon })),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      attributes={{ content: { 'aria-label': t('search') } }}
      classNames={{ content: modal.content ?? '', overlay: modal.overlay ?? '', body: classes.body ?? '' }}
    >
      <PickList
        label={t('findScreen')}
        options={options}
        onPick={to => {
          onClose();
          void navigate({ to });
        }}
      />
    </Modal>
  );
}
