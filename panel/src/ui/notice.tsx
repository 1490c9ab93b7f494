import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from '#ui/notice.module.css';

interface Props {
  tone: 'info' | 'warn' | 'bad';
  title: string;
  children?: ReactNode;
  /** Actions. */
  action?: ReactNode;
}

/** A banner above the content that it concerns. */
export function Notice({ tone, title, children, action }: Props) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <section className={classes.notice} data-tone={tone} aria-label={title}>
      <Icon size={20} stroke={1.7} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children && <p>{children}</p>}
      </div>
      {action}
    </section>
  );
}
