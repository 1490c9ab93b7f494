import type { Credentials, ListedVisitor } from '@portico/contract/visitors.ts';
import {
  IconArrowsExchange,
  IconCalendarPlus,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconPrinter,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useCardsOfSelected,
  useDeleteSelected,
  useDownloadSelected,
  useEndSessionsOfSelected,
  usePauseSelected,
  useResumeSelected,
} from '#features/visitors/selected-visitors.api.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useChooseEvery } from '#ui/choose-every.tsx';
import type { Matching, Selection } from '#ui/selection.ts';
import { SelectionAction, SelectionBar } from '#ui/selection-bar.tsx';

const ExtendSelected = lazyPart(() => import('#features/visitors/extend-selected.tsx'), 'ExtendSelected');
const MoveSelected = lazyPart(() => import('#features/visitors/move-selected.tsx'), 'MoveSelected');
const CardsDialog = lazyPart(() => import('#features/visitors/cards-dialog.tsx'), 'CardsDialog');
const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

interface Props {
  selection: Selection<ListedVisitor>;
  matching: Matching<ListedVisitor>;
}

type Question = 'pause' | 'end' | 'delete';

/** Actions on the selected visitors: one request for all of them. */
export function SelectedVisitors({ selection, matching }: Props) {
  const { t } = useTranslation(['visitors', 'common']);
  const can = useCan();
  const every = useChooseEvery(selection, matching, 1000);
  const visitors = [...selection.rows.values()];
  const ids = visitors.map(it => it.id);
  const count = ids.length;
  // The others stay as they are, also when this is taken back.
  const paused = visitors.filter(it => it.blocked).map(it => it.id);
  const others = visitors.filter(it => !it.blocked).map(it => it.id);
  const [asking, setAsking] = useState<Question>();
  const [form, setForm] = useState<'extend' | 'move'>();
  const [cards, setCards] = useState<readonly Credentials[]>();
  const mutations = { pause: usePauseSelected(), end: useEndSessionsOfSelected(), delete: useDeleteSelected() };
  const resume = useResumeSelected();
  const print = useCardsOfSelected();
  const file = useDownloadSelected();
  if (!count) return null;
  const finish = () => {
    setAsking(undefined);
    setForm(undefined);
    selection.clear();
  };
  const { clearIfRefused: onError } = selection;
  const then = { onSuccess: finish, onError };
  const [first] = visitors;
  const until = first && visitors.every(it => it.session_end_at === first.session_end_at) && first.session_end_at;
  const mayEdit = can('update-clients');
  const asked = asking === 'pause' ? others : ids;
  return (
    <SelectionBar count={count} onClear={selection.clear} every={every}>
      {mayEdit && (
        <>
          <SelectionAction icon={IconCalendarPlus} label={t('selected.extend')} onClick={() => setForm('extend')} />
          <SelectionAction icon={IconArrowsExchange} label={t('selected.move')} onClick={() => setForm('move')} />
          {others.length > 0 && (
            <SelectionAction icon={IconPlayerPause} label={t('selected.pause')} onClick={() => setAsking('pause')} />
          )}
          {paused.length > 0 && (
            <SelectionAction
              icon={IconPlayerPlay}
              label={t('selected.resume')}
              pending={resume.isPending}
              onClick={() => resume.mutate(paused, then)}
            />
          )}
          {visitors.some(it => it.provider_type === 'username') && (
            <SelectionAction
              icon={IconPrinter}
              label={t('selected.print')}
              pending={print.isPending}
              onClick={() => print.mutate(ids, { onSuccess: ({ data }) => setCards(data), onError })}
            />
          )}
          <SelectionAction icon={IconPlugConnectedX} label={t('selected.end')} onClick={() => setAsking('end')} />
        </>
      )}
      <SelectionAction
        icon={IconDownload}
        label={t('selected.csv')}
        pending={file.isPending}
        onClick={() => file.mutate(ids, { onError })}
      />
      {can('delete-clients') && (
        <SelectionAction icon={IconTrash} label={t('common:delete')} onClick={() => setAsking('delete')} />
      )}
      {form === 'extend' && (
        <ExtendSelected visitors={visitors} onDone={finish} onError={onError} onClose={() => setForm(undefined)} />
      )}
      {form === 'move' && (
        <MoveSelected visitors={visitors} onDone={finish} onError={onError} onClose={() => setForm(undefined)} />
      )}
      {cards && (
        <CardsDialog
          people={cards}
          until={until ? formatDateTime(until) : null}
          locationId={first?.location_id ?? null}
          of={t('selected.visitors', { count: cards.length })}
          onClose={() => setCards(undefined)}
        />
      )}
      {asking && can(asking === 'delete' ? 'delete-clients' : 'update-clients') && (
        <Confirm
          opened
          title={t(`selected.${asking}Title`, { count: asked.length })}
          text={t(`selected.${asking}Text`, { count: asked.length })}
          confirm={t(`selected.${asking}Button`, { count: asked.length })}
          cancel={t('common:cancel')}
          danger={asking === 'delete'}
          pending={mutations[asking].isPending}
          onConfirm={() => mutations[asking].mutate(asked, then)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </SelectionBar>
  );
}
