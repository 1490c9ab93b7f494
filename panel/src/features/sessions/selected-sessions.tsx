import type { OnlineSession } from '@portico/contract/sessions.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndSelected } from '#features/sessions/sessions.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Selection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** Ends the selected sessions: one request for all of them. */
export function SelectedSessions({ selection }: { selection: Selection<OnlineSession> }) {
  const { t } = useTranslation(['sessions', 'common']);
  const [asking, setAsking] = useState(false);
  const end = useEndSelected();
  const ids = [...selection.rows.keys()];
  const count = ids.length;
  const finish = () => {
    setAsking(false);
    selection.clear();
  };
  const then = { onSuccess: finish, onError: selection.clearIfRefused };
  return (
    <SelectionBar count={count} onClear={selection.clear}>
      <SelectionAction icon={IconPlugConnectedX} label={t('selected.end')} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          opened
          title={t('selected.title', { count })}
          text={t('selected.text')}
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
