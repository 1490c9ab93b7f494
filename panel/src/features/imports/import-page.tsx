import { Button, Group, NativeSelect, Progress, Radio } from '@mantine/core';
import type { VisitorImport } from '@portico/contract/imports.ts';
import { IconHistory, IconPlayerStop, IconTrash, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoose, useDeleteImport, useStart, useVisitorImport } from '#features/imports/imports.api.ts';
import classes from '#features/imports/imports.module.css';
import { SessionsReport, SkippedSessions } from '#features/imports/sessions-report.tsx';
import { useChoices } from '#lib/choices.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import { CsvRows } from '#ui/csv-rows.tsx';
import { Facts } from '#ui/facts.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Steps } from '#ui/steps.tsx';

const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

/** The report of an import with its choices, then its progress and its result. */
export function ImportPage() {
  const { t } = useTranslation(['imports', 'visitors', 'common']);
  const { importId = '' } = useParams({ strict: false });
  const query = useVisitorImport(importId);
  const remove = useDeleteImport();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const parent = { to: '/visitors/import', label: t('title') };
  if (query.error && !query.data)
    return <LoadError error={query.error} onRetry={() => void query.refetch()} parent={parent} />;
  const it = query.data?.data;
  const stops = it?.state === 'running' || it?.state === 'uploading' || it?.state === 'reading';
  const text = it?.sessions
    ? it.state === 'running'
      ? 'stopSessions'
      : 'deleteSessions'
    : stops
      ? 'stopText'
      : 'deleteText';
  return (
    <>
      <PageHeader
        title={it?.file_name ?? '…'}
        description={it && t('from', { source: t(`source.${it.source}`), location: it.location.name })}
        parent={parent}
      >
        {it && it.state !== 'deleting' && (
          <Button
            variant="default"
            leftSection={stops ? <IconPlayerStop size={16} /> : <IconTrash size={16} />}
            onClick={() => setAsked(true)}
          >
            {t(stops ? 'stop' : 'delete')}
          </Button>
        )}
      </PageHeader>
      <Steps
        label={t('steps.label')}
        steps={[t('steps.file'), t(it?.sessions ? 'steps.reportOnly' : 'steps.report'), t('steps.run')]}
        at={it && ['running', 'stopped', 'done', 'deleting'].includes(it.state) ? 2 : it?.state === 'uploading' ? 0 : 1}
      />
      {it ? <Content it={it} /> : <FormSkeleton fields={4} />}
      {it && asked && (
        <ConfirmDelete
          name={it.file_name}
          text={t(text)}
          action={stops ? t('stop') : undefined}
          pending={remove.isPending}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate(it, { onSuccess: () => void navigate({ to: '/visitors/import' }) })}
        />
      )}
    </>
  );
}

function Content({ it }: { it: VisitorImport }) {
  const { t } = useTranslation('imports');
  if (it.state === 'deleting') return <Notice tone="info" title={t('state.deleting')} />;
  if (it.state === 'running' || it.state === 'stopped' || it.state === 'done') return <Course it={it} />;
  return it.sessions ? <SessionsReport it={it} /> : <Report it={it} />;
}

const Counts = ({ it, of }: { it: VisitorImport; of: 'plan' | 'result' }) => {
  const { t } = useTranslation('imports');
  return (
    <Facts
      facts={(it.sessions ? (['created', 'skipped'] as const) : (['created', 'updated', 'skipped'] as const)).map(
        key => ({
          label: t(`${of}.${key}`),
          value: formatNumber(it[key]),
        }),
      )}
    />
  );
};

function Problems({ it }: { it: VisitorImport }) {
  const { t } = useTranslation('imports');
  if (it.problems.length === 0) return null;
  return (
    <Card
      title={t('problems')}
      description={it.skipped > it.problems.length ? t('firstOnly', { count: it.problems.length }) : undefined}
    >
      <CsvRows
        label={t('problems')}
        head={[t('line'), t('username'), t('reason')]}
        rows={it.problems.map(row => [String(row.line), row.username, row.message])}
      />
    </Card>
  );
}

function Report({ it }: { it: VisitorImport }) {
  const { t } = useTranslation(['imports', 'visitors']);
  const can = useCan();
  const { profiles } = useChoices(it.location_id);
  const free = profiles.filter(it => !it.is_paid).map(({ id, name }) => ({ value: id, label: name }));
  const choose = useChoose(it.id);
  const start = useStart(it.id);
  const set = (groups: VisitorImport['groups'], existing = it.existing) =>
    choose.mutate({ existing, groups: groups.map(({ name, profile_id }) => ({ name, profile_id })) });
  const count = it.created + it.updated;
  const forms = it.passwords.map(({ form, count: number }) => {
    const known = form === 'clear' || form === 'none' ? t(`form.${form}`) : form;
    return `${known}: ${formatNumber(number)}`;
  });
  return (
    <>
      <Card title={t('report')}>
        <Counts it={it} of="plan" />
        <Facts facts={[{ label: t('passwords'), value: forms.join(', ') }]} />
        <p className={classes.help}>{t('passwordsHelp')}</p>
        {it.own_limits > 0 && <p className={classes.help}>{t('ownLimits', { count: it.own_limits })}</p>}
        {it.accounting > 0 && <p className={classes.help}>{t('accounting', { count: it.accounting })}</p>}
      </Card>
      <Card title={t('groups')} description={t('groupsHelp')}>
        <div className={classes.fields}>
          {it.groups.map(group => (
            <NativeSelect
              key={group.name}
              label={`${group.name || t('noGroup')} · ${t('inGroup', { count: group.visitors })}`}
              description={group.hints.join(', ') || undefined}
              data={[{ value: '', label: t('noProfile') }, ...free]}
              value={group.profile_id ?? ''}
              disabled={choose.isPending}
              onChange={({ currentTarget: { value } }) =>
                set(it.groups.map(one => (one.name === group.name ? { ...one, profile_id: value || null } : one)))
              }
            />
          ))}
          {can('update-clients') && (
            <Radio.Group
              label={t('existing')}
              value={it.existing}
              onChange={value => set(it.groups, value as VisitorImport['existing'])}
            >
              <div className={classes.choices}>
                <Radio value="keep" label={t('keep')} disabled={choose.isPending} />
                <Radio value="update" label={t('update')} disabled={choose.isPending} />
              </div>
            </Radio.Group>
          )}
        </div>
      </Card>
      {it.unknown.length > 0 && (
        <Card title={t('unknown')}>
          <CsvRows
            label={t('unknown')}
            head={[t('unknownName'), t('count'), t('firstLine')]}
            rows={it.unknown.map(row => [row.name, formatNumber(row.count), String(row.line)])}
          />
        </Card>
      )}
      <Problems it={it} />
      <Group justify="flex-end" className={classes.foot ?? ''}>
        {count === 0 && <p className={classes.help}>{t('nothing')}</p>}
        <Button disabled={count === 0 || choose.isPending} loading={start.isPending} onClick={() => start.mutate()}>
          {t('start', { count })}
        </Button>
      </Group>
    </>
  );
}

/** The progress of a started import, and its result. */
function Course({ it }: { it: VisitorImport }) {
  const { t } = useTranslation(['imports', 'visitors']);
  const done = it.created + it.updated + it.skipped;
  const words = t(it.sessions ? 'progressSessions' : 'progress', {
    done: formatNumber(done),
    total: formatNumber(it.total),
  });
  return (
    <>
      <Card>
        {it.state === 'running' ? (
          <div className={classes.choices} aria-live="polite">
            <Progress value={it.total ? (100 * done) / it.total : 0} aria-label={words} animated />
            <p className={classes.help}>{words}</p>
            <p className={classes.help}>{t('runningText')}</p>
          </div>
        ) : (
          <Notice
            tone={it.state === 'stopped' ? 'warn' : 'info'}
            title={t(it.state === 'stopped' ? 'rightsLost' : 'done')}
            action={
              <Button
                component={Link}
                to={it.sessions ? '/reports/imported-sessions' : '/visitors'}
                variant="default"
                leftSection={it.sessions ? <IconHistory size={16} /> : <IconUsers size={16} />}
              >
                {t(it.sessions ? 'showSessions' : 'show')}
              </Button>
            }
          >
            {it.state === 'stopped' && t('rightsLostText')}
          </Notice>
        )}
        <Counts it={it} of="result" />
      </Card>
      {it.sessions ? <SkippedSessions it={it} /> : <Problems it={it} />}
    </>
  );
}
