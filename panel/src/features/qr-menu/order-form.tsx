import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useItemsToArrange, useSaveOrder } from '#features/qr-menu/qr-menu.api.ts';
import classes from '#features/qr-menu/qr-menu.module.css';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { LocationField } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { moved, SortableList } from '#ui/sortable-list.tsx';

interface Props {
  kind: 'category' | 'product';
  onClose: () => void;
}

/** Arranges the categories or products of a location's menu. */
export function OrderForm({ kind, onClose }: Props) {
  const { t } = useTranslation(['qr-menu', 'common']);
  const [location, setLocation] = useState(useWorkingLocation());
  const things = useItemsToArrange(kind, location);
  const [order, setOrder] = useState<{ id: string; title: string }[]>();
  const save = useSaveOrder(kind);
  const items = order ?? things.data ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`${kind}.order`)}
      size={520}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <div className={modal.fields}>
        <LocationField
          value={location}
          onChange={id => {
            setLocation(id);
            setOrder(undefined);
          }}
        />
        <p className={classes.hint}>{t('orderHelp')}</p>
        {things.isError && <LoadError error={things.error} onRetry={() => void things.refetch()} />}
        {things.isLoading && <FormSkeleton fields={3} />}
        {things.data && items.length === 0 && <p className={classes.hint}>{t(`${kind}.emptyTitle`)}</p>}
        <SortableList
          label={t(`${kind}.list`)}
          items={items}
          keyOf={item => item.id}
          nameOf={item => item.title}
          disabled={save.isPending}
          onMove={(from, to) => setOrder(moved(items, from, to))}
        >
          {(item, index, handle) => (
            <div className={classes.orderRow}>
              {handle}
              <span className={classes.orderPlace}>{index + 1}</span>
              <span className={classes.orderName}>{item.title}</span>
            </div>
          )}
        </SortableList>
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button
          loading={save.isPending}
          disabled={!order}
          onClick={() => save.mutate({ location_id: location, ids: items.map(({ id }) => id) }, { onSuccess: onClose })}
        >
          {t('common:save')}
        </Button>
      </Group>
    </Modal>
  );
}
