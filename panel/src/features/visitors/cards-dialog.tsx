import { Button, SegmentedControl } from '@mantine/core';
import type { Credentials } from '@portico/contract/visitors.ts';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/visitors/cards.module.css';
import { credentialsCsv } from '#features/visitors/credentials-csv.ts';
import { downloadCsv } from '#lib/csv-file.ts';
import { tenant } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { PrintDialog } from '#ui/print-dialog.tsx';
import { QrCode } from '#ui/qr-code.tsx';

type Paper = 'a4' | 'slip';

interface Props {
  people: readonly Credentials[];
  /** The end of their access, as text. */
  until: string | null;
  locationId: string | null;
  /** Set for the card of a single, existing visitor. */
  of?: string;
  onClose: () => void;
}

/** Sign-in cards for A4 sheets or receipt printers. The screen shows them exactly as they are printed. */
export function CardsDialog({ people, until, locationId, of, onClose }: Props) {
  const { t } = useTranslation('visitors');
  const { locations, active_location } = useUser();
  const [paper, setPaper] = useState<Paper>('a4');
  const place = [...locations, ...(active_location ? [active_location] : [])].find(it => it.id === locationId);
  const titles = [t('name'), t('username'), t('password'), t('cards.link')];
  return (
    <PrintDialog
      title={of === undefined ? t('cards.title', { count: people.length }) : t('cards.of', { name: of })}
      onClose={onClose}
      bar={
        <>
          <p>{t(of === undefined ? 'cards.once' : 'cards.again')}</p>
          <SegmentedControl
            aria-label={t('cards.paper')}
            value={paper}
            onChange={value => setPaper(value as Paper)}
            data={[
              { value: 'a4', label: t('cards.a4') },
              { value: 'slip', label: t('cards.slip') },
            ]}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => downloadCsv('visitor-passwords.csv', credentialsCsv(titles, people))}
          >
            {t('cards.csv')}
          </Button>
          <Button leftSection={<IconPrinter size={16} />} onClick={() => print()}>
            {t('cards.print')}
          </Button>
        </>
      }
    >
      <ul className={classes.sheet} data-paper={paper} data-printed>
        {people.map(person => (
          <Card key={person.id} person={person} place={place?.name ?? tenant().brand.name} until={until} />
        ))}
      </ul>
    </PrintDialog>
  );
}

function Card({ person, place, until }: { person: Credentials; place: string; until: string | null }) {
  const { t } = useTranslation('visitors');
  return (
    <li className={classes.card}>
      <div className={classes.words}>
        <strong className={classes.place}>{place}</strong>
        {person.name !== person.username && <span>{person.name}</span>}
        <dl>
          <dt>{t('username')}</dt>
          <dd>{person.username}</dd>
          <dt>{t('password')}</dt>
          <dd>{person.password}</dd>
          {until && (
            <>
              <dt>{t('until')}</dt>
              <dd className={classes.plain}>{until}</dd>
            </>
          )}
        </dl>
      </div>
      <div className={classes.scan}>
        <QrCode className={classes.code} text={person.sign_in_url} label={t('cards.code', { name: person.username })} />
        <small>{t('cards.how')}</small>
      </div>
    </li>
  );
}
