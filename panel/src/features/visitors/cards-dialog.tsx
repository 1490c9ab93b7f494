import { Button, Modal, SegmentedControl } from '@mantine/core';
import type { Credentials } from '@portico/contract/visitors.ts';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/visitors/cards.module.css';
import { credentialsCsv, downloadCsv } from '#features/visitors/credentials-csv.ts';
import { QrCode } from '#features/visitors/qr-code.tsx';
import { tenant } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import modal from '#ui/modal.module.css';

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

/** Sign-in cards for A4 sheets or receipt printers. The screen shows exactly what is printed. */
export function CardsDialog({ people, until, locationId, of, onClose }: Props) {
  const { t } = useTranslation(['visitors', 'common']);
  const { locations, active_location } = useUser();
  const [paper, setPaper] = useState<Paper>('a4');
  const place = [...locations, ...(active_location ? [active_location] : [])].find(it => it.id === locationId);
  const titles = [t('name'), t('username'), t('password'), t('cards.link')];
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={of === undefined ? t('cards.title', { count: people.length }) : t('cards.of', { name: of })}
      transitionProps={{ duration: 0 }}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: modal.title ?? '',
        body: classes.body ?? '',
        overlay: classes.overlay ?? '',
      }}
    >
      <div className={classes.bar}>
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
      </div>
      <ul className={classes.sheet} data-paper={paper} data-printed>
        {people.map(person => (
          <Card key={person.id} person={person} place={place?.name ?? tenant().brand.name} until={until} />
        ))}
      </ul>
    </Modal>
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
