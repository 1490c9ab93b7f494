import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConnectionFacts, UntriedNote, useDevice } from '#features/devices/public.ts';
import { guideSlugs } from '#features/guides/guide-slugs.ts';
import classes from '#features/guides/guides.module.css';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { ParentButton } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

type Guide = (typeof guideSlugs)[number];
const isGuide = (slug: string): slug is Guide => (guideSlugs as readonly string[]).includes(slug);

interface Step {
  title: string;
  text: string;
  /** Commands or menu paths on the device. */
  code?: string;
  /** Shown only if RADIUS over TLS is on. */
  radsec?: true;
}

/** Step-by-step setup of a brand. Opened from a device, it includes the values of that device. */
export function GuidePage() {
  const { t } = useTranslation(['guides', 'common']);
  const { slug = '' } = useParams({ strict: false });
  const seesDevices = useCan()('view-devices');
  const [search] = useListSearch();
  const device = seesDevices ? search.device : undefined;
  const radsecOn = typeof useDevice(device).data?.data.radius.radsec_port === 'number';
  if (!isGuide(slug))
    return (
      <ErrorState title={t('common:error.notFoundTitle')} text={t('unknown')} screen>
        {seesDevices && <ParentButton to="/devices" label={t('toDevices')} />}
      </ErrorState>
    );
  const before = t(`${slug}.before`, { returnObjects: true }) as readonly string[];
  const steps = t(`${slug}.steps`, { returnObjects: true }) as readonly Step[];
  const problems = t(`${slug}.problems`, { returnObjects: true }) as readonly Step[];
  const tabs = guideSlugs.map(each => ({ to: `/guides/${each}`, label: t(`${each}.name`) }));
  return (
    <article>
      <PageHeader
        title={t(`${slug}.title`)}
        description={t(`${slug}.lead`)}
        parent={
          seesDevices
            ? { to: device ? `/devices/${device}` : '/devices', label: t(device ? 'toDevice' : 'toDevices') }
            : undefined
        }
        tabs={tabs}
      />
      <div className={classes.text}>
        <UntriedNote brand={{ name: t(`${slug}.name`), slug }} />
        {device && <Values id={device} />}
        <Card title={t('before')}>
          <ul className={classes.before}>
            {before.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Card>
        <ol className={classes.steps}>
          {steps
            .filter(step => !step.radsec || radsecOn)
            .map(step => (
              <li key={step.title}>
                <h2>{step.title}</h2>
                <p>{step.text}</p>
                {step.code && <Code text={step.code} label={step.title} />}
              </li>
            ))}
        </ol>
        <Card title={t('problems')}>
          {problems.map(problem => (
            <details key={problem.title} className={classes.problem}>
              <summary>{problem.title}</summary>
              <p>{problem.text}</p>
              {problem.code && <Code text={problem.code} label={problem.title} />}
            </details>
          ))}
        </Card>
      </div>
    </article>
  );
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.code}>
      <pre>{text}</pre>
      <CopyButton value={text} label={label} />
    </div>
  );
}

/** Hidden if the device cannot be loaded: the guide works without its values. */
function Values({ id }: { id: string }) {
  const { t } = useTranslation('guides');
  const device = useDevice(id).data?.data;
  if (!device) return null;
  return (
    <Card title={t('values', { name: device.name })} description={t('valuesHelp')}>
      <ConnectionFacts device={device} />
    </Card>
  );
}
