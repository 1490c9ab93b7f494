import type { Device } from '@portico/contract/devices.ts';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeleteSelectedDevices, useSwitchSelectedDevices } from '#features/devices/devices.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useChooseEvery } from '#ui/choose-every.tsx';
import type { Matching, Selection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  selection: Selection<Device>;
  matching: Matching<Device>;
}

/** Actions on the selected devices: one request for all of them. */
export function SelectedDevices({ selection, matching }: Props) {
  const { t } = useTranslation(['devices', 'common']);
  const can = useCan();
  const every = useChooseEvery(selection, matching, 200);
  const devices = [...selection.rows.values()];
  const ids = devices.map(it => it.id);
  const count = ids.length;
  // The others stay as they are, also when this is taken back.
  const on = devices.filter(it => it.hotspot_status).map(it => it.id);
  const off = devices.filter(it => !it.hotspot_status).map(it => it.id);
  const [asking, setAsking] = useState<'off' | 'delete'>();
  const asked = asking === 'off' ? on.length : count;
  const hotspot = useSwitchSelectedDevices();
  const remove = useDeleteSelectedDevices();
  const finish = () => {
    setAsking(undefined);
    selection.clear();
  };
  const then = { onSuccess: finish, onError: selection.clearIfRefused };
  const confirm = () => {
    if (asking === 'delete') remove.mutate(ids, then);
    else hotspot.mutate({ ids: on, hotspot_status: false }, then);
  };
  return (
    <SelectionBar count={count} onClear={selection.clear} every={every}>
      {can('update-devices') && (
        <>
          {off.length > 0 && (
            <SelectionAction
              icon={IconPlayerPlay}
              label={t('selected.on')}
              pending={hotspot.isPending}
              onClick={() => hotspot.mutate({ ids: off, hotspot_status: true }, then)}
            />
          )}
          {on.length > 0 && (
            <SelectionAction icon={IconPlayerPause} label={t('selected.off')} onClick={() => setAsking('off')} />
          )}
        </>
      )}
      {can('delete-devices') && (
        <SelectionAction icon={IconTrash} label={t('common:delete')} onClick={() => setAsking('delete')} />
      )}
      {asking && (
        <Confirm
          opened
          title={t(`selected.${asking}Title`, { count: asked })}
          text={t(`selected.${asking}Text`)}
          confirm={t(`selected.${asking}Button`, { count: asked })}
          cancel={t('common:cancel')}
          danger={asking === 'delete'}
          pending={hotspot.isPending || remove.isPending}
          onConfirm={confirm}
          onClose={() => setAsking(undefined)}
        />
      )}
    </SelectionBar>
  );
}
