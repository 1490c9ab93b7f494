import type { OnlineSession } from '@portico/contract/sessions.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndSelected } from '#features/sessions/sessions.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useChooseEvery } from '#ui/choose-every.tsx';
import type { Matching, Selection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  selection: Selection<OnlineSession>;
  matching: Matching<OnlineSession>;
}

/** Ends those of the selected sessions that can be ended: one request for all of them. */
export function SelectedSessions({ selection, matching }: Props) {
  const { t } = useTranslation(['sessions', 'common']);
  const every = useChooseEvery(selection, matching, 1000);
  const [asking, setAsking] = useState(false);
  const end = useEndSelected();
  // A gateway that takes no commands would only refuse.
  const ids = [...selection.rows.values()].filter(it => it.endable).map(it => it.rhid);
  const count = ids.length;
  const left = selection.rows.size - count;
  const finish = () => {
    setAsking(false);
    selection.clear();
  };
  const then = { onSuccess: finish, onError: selection.clearIfRefused };
  return (
    <SelectionBar count={selection.rows.size} onClear={selection.clear} every={every}>
      <SelectionAction
        icon={IconPlugConnectedX}
        label={t('selected.end')}
        reason={count === 0 ? t('selected.none') : undefined}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <Confirm
          opened
          title={t('selected.title', { count })}
          text={[t('selected.text'), left > 0 && t('selected.left', { count: left })].filter(Boolean).join(' ')}
          confirm={t('selected.button', { count })}
          cancel={t('common:cancel')}
          pending={end.isPending}
          onConfirm={() => end.mutate(ids, then)}
          onClose={() => setAsking(false)}
        />
      )}
    </SelectionBar>
  );
}
