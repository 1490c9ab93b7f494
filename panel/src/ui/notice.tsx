import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from '#ui/notice.module.css';

interface Props {
  tone: 'info' | 'warn' | 'bad';
  title: string;
  children?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
}

/** A banner above what it is about. */
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
