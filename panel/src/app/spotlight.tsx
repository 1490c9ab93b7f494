import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Target, useSearchOptions } from '#app/search-options.ts';
import classes from '#app/spotlight.module.css';
import { useEndSession } from '#features/sessions/public.ts';
import { useChangeLocation } from '#lib/change-location.ts';
import { takeEarlyKeys } from '#lib/early-keys.ts';
import { useUser } from '#lib/user.ts';
import modal from '#ui/modal.module.css';
import { PickList } from '#ui/pick-list.tsx';
import { returnsFocus } from '#ui/returns-focus.ts';

/** Finds people, devices, places, screens and actions, and opens what is picked. */
export function Spotlight({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const active = useUser().active_location?.id;
  const change = useChangeLocation();
  const end = useEndSession();
  const [typed, setTyped] = useState('');
  const { options, pending } = useSearchOptions(typed);

  const open = async ({ location, ends, ...target }: Target) => {
    onClose();
    if (location && active && location !== active) await change.mutateAsync(location);
    await navigate(target);
    if (ends) end.mutate({ rhid: ends });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      attributes={{ content: { 'aria-label': t('search') }, inner: { ref: returnsFocus } }}
      classNames={{ content: modal.content ?? '', overlay: modal.overlay ?? '', body: classes.body ?? '' }}
    >
      <PickList
        label={t('findAnything')}
        options={options}
        onType={setTyped}
        onReady={takeEarlyKeys}
        pending={pending}
        onPick={id => {
          const option = options.find(each => each.id === id);
          if (option) void open(option.target);
        }}
      />
    </Modal>
  );
}
