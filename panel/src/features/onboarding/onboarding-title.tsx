import { IconCircleCheck } from '@tabler/icons-react';
import classes from '#features/onboarding/onboarding.module.css';
import { tenant } from '#lib/tenant.ts';

interface Props {
  title: string;
  lead?: string | undefined;
  /** Above the portal with its preview, which takes the whole width. */
  wide?: boolean;
  /** Something was brought to its end. */
  done?: boolean;
}

/** The heading of a screen of the setup; it is also the page's title. */
export function OnboardingTitle({ title, lead, wide, done }: Props) {
  return (
    <div className={classes.title} data-wide={wide || undefined}>
      <title>{`${title} · ${tenant().brand.name}`}</title>
      {done && <IconCircleCheck size={44} stroke={1.5} aria-hidden />}
      <h1>{title}</h1>
      {lead && <p>{lead}</p>}
    </div>
  );
}
