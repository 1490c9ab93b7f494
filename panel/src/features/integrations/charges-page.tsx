import { type RoomChargeOutcome, roomChargeStates } from '@portico/contract/integration-names.ts';
import type { RoomCharge } from '@portico/contract/room-charges.ts';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IntegrationScreen } from '#features/integrations/integration-screen.tsx';
import { useRoomCharges, useSettleCharge } from '#features/integrations/integrations.api.ts';
import { SentTable } from '#features/integrations/sent-table.tsx';
import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

export const ChargesPage = () => <IntegrationScreen>{it => <Charges id={it.id} />}</IntegrationScreen>;

const tones = {
  waiting: 'busy',
  sent: 'busy',
  unknown: 'bad',
  posted: 'good',
  refused: 'bad',
  cancelled: 'idle',
} as const;
const icons = { posted: IconCheck, again: IconRefresh, cancelled: IconX } as const;

/** The charges to rooms. An operator settles charges that the link cannot settle. */
function Charges({ id }: { id: string }) {
  const { t } = useTranslation(['integrations', 'common']);
  const can = useCan();
  const [search] = useListSearch();
  const charges = useRoomCharges(id, search);
  const settle = useSettleCharge(id);
  const [asked, ask] = useState<{ charge: RoomCharge; outcome: RoomChargeOutcome }>();
  useLive('room-charges', api.roomCharges.list);
  const nameOf = (row: RoomCharge) =>
    row.visitor ? [row.visitor.room_number, row.visitor.name].filter(Boolean).join(' · ') : row.words;
  const columns: Column<RoomCharge>[] = [
    { key: 'room', label: t('charges.room'), cell: nameOf },
    {
      key: 'amount',
      onPhone: true,
      label: t('charges.amount'),
      numeric: true,
      nowrap: true,
      cell: row => formatMoney(row.amount / 100, row.currency),
    },
    {
      key: 'answer',
      onPhone: true,
      label: t('charges.answer'),
      cell: row => (row.answer ? t(`charges.answers.${answerKey(row.answer)}`, { code: row.answer }) : '–'),
      from: 'md',
    },
    { key: 'number', label: t('charges.number'), numeric: true, cell: row => row.number ?? '–', from: 'lg' },
    {
      key: 'time',
      label: t('charges.time'),
      nowrap: true,
      cell: row => <RelativeTime time={row.created_at} />,
      onPhone: true,
    },
  ];
  const outcomesOf = (row: RoomCharge): readonly RoomChargeOutcome[] => {
    if (!can('update-integrations')) return [];
    if (row.state === 'unknown') return ['posted', 'again', 'cancelled'];
    // The guest of a purchase on the portal was told that nothing was bought.
    const isOver = row.purchase_id !== null && row.amount > 0;
    return row.state === 'refused' && !isOver ? ['again', 'cancelled'] : [];
  };
  return (
    <>
      <SentTable
        view="charges"
        label={t('charges.title')}
        query={charges}
        states={
          Object.fromEntries(
            roomChargeStates.map(state => [state, { label: t(`charges.states.${state}`), tone: tones[state] }]),
          ) as Record<RoomCharge['state'], { label: string; tone: (typeof tones)[RoomCharge['state']] }>
        }
        columns={columns}
        rowName={nameOf}
        rowActions={row =>
          outcomesOf(row).map(outcome => ({
            label: t(`charges.outcomes.${outcome}`),
            icon: icons[outcome],
            onClick: () => ask({ charge: row, outcome }),
          }))
        }
        empty={{ title: t('charges.emptyTitle'), text: t('charges.emptyText') }}
      />
      {asked && (
        <Confirm
          opened
          title={t(`charges.ask.${asked.outcome}`)}
          text={t('charges.askText', { amount: formatMoney(asked.charge.amount / 100, asked.charge.currency) })}
          confirm={t(`charges.outcomes.${asked.outcome}`)}
          cancel={t('common:back')}
          danger={asked.outcome === 'cancelled'}
          pending={settle.isPending}
          onConfirm={() =>
            settle.mutate({ chargeId: asked.charge.id, outcome: asked.outcome }, { onSuccess: () => ask(undefined) })
          }
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}

const known = [
  'NP',
  'NG',
  'CO',
  'UR',
  'NA',
  'RY',
  'not in house',
  'no folio',
  'too_many_requests',
  'login_refused',
  'unreachable',
] as const;
const answerKey = (code: string): (typeof known)[number] | 'other' => known.find(it => it === code) ?? 'other';
