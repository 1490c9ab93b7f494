import { IconCircleCheck } from '@tabler/icons-react';
import classes from '#features/onboarding/onboarding.module.css';
import { tenant } from '#lib/tenant.ts';

interface Props {
  title: string;
  lead?: string | undefined;
  /** For the portal step, which uses the whole width. */
  wide?: boolean;
  /** For a completed setup. */
  done?: boolean;
}

/** The heading of a setup screen, also used as document title. */
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
