import { setTimeout as sleep } from 'node:timers/promises';
import { authJobs } from '#features/auth/public.ts';
import { clockJobs, mayErase } from '#features/clock/public.ts';
import { certificateJobs, commandJobs, watchJobs } from '#features/devices/public.ts';
import { gatewayJobs } from '#features/gateways/public.ts';
import { guestJobs } from '#features/guests/guests.jobs.ts';
import { importJobs } from '#features/imports/imports.jobs.ts';
import { integrationJobs, ownGateway, ownMail, stopHotelLinks } from '#features/integrations/public.ts';
import { licenceJobs } from '#features/licences/public.ts';
import { logSourceJobs } from '#features/log-sources/public.ts';
import { logJobs } from '#features/logs/public.ts';
import { notificationJobs } from '#features/notifications/public.ts';
import { packageJobs } from '#features/packages/public.ts';
import { pictureJobs } from '#features/portals/public.ts';
import { qrMenuJobs } from '#features/qr-menu/qr-menu.jobs.ts';
import { reportMailJobs } from '#features/report-mails/public.ts';
import { sessionJobs } from '#features/sessions/public.ts';
import { problemJobs } from '#features/statistics/public.ts';
import { tenantJobs } from '#features/tenants/public.ts';
import { throttleJobs } from '#features/throttle/public.ts';
import { unknownDeviceJobs } from '#features/unknown-devices/public.ts';
import { visitorJobs } from '#features/visitors/visitors.jobs.ts';
import { idempotencyJobs } from '#http/idempotency.jobs.ts';
import type { App } from '#lib/app.ts';
import { counter, gauge } from '#lib/metrics.ts';
import { mailJobs } from '#mail/mail.jobs.ts';
import { smsJobs } from '#sms/sms.jobs.ts';
import { backlogJobs } from './backlog.jobs.ts';
import { backupJobs } from './backup.jobs.ts';
import type { Service } from './service.ts';

/** Repeated work. Several processes may run it, so it must be idempotent. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (app: App) => Promise<void>;
  /** The job deletes old data, so it waits while the system clock is in doubt. */
  readonly erases?: true;
  /**
   * For work with foreign servers: after this time the next run begins beside this one. So a slow server does not delay the
   * others. The job must not claim anything twice.
   */
  readonly patienceMs?: number;
}

export const jobs: readonly Job[] = [
  ...clockJobs,
  ...commandJobs,
  ...watchJobs,
  ...certificateJobs,
  ...integrationJobs,
  ...logJobs,
  ...logSourceJobs,
  ...sessionJobs,
  ...mailJobs(ownMail),
  ...smsJobs(ownGateway),
  ...authJobs,
  ...throttleJobs,
  ...unknownDeviceJobs,
  ...guestJobs,
  ...gatewayJobs,
  ...visitorJobs,
  ...importJobs,
  ...notificationJobs,
  ...licenceJobs,
  ...packageJobs,
  ...reportMailJobs,
  ...qrMenuJobs,
  ...tenantJobs,
  ...problemJobs,
  ...pictureJobs,
  ...backlogJobs,
  ...backupJobs,
  ...idempotencyJobs,
];

/** Runs a job once, unless it deletes data and the clock is in doubt. */
export async function runJob(app: App, job: Job): Promise<void> {
  if (!job.erases || (await mayErase(app))) await job.run(app);
}

const runs = () => counter('portico_job_runs_total', 'Runs of a job, by outcome', ['name', 'outcome']);
const lastSuccess = () => gauge('portico_job_last_success_timestamp_seconds', 'When a job last succeeded', ['name']);
const interval = () => gauge('portico_job_interval_seconds', 'How often a job is due', ['name']);

/** Runs the jobs of every feature, each at its own interval and never concurrently with itself, unless it has a patience. */
export function startJobs(app: App, options: { finishMs: number; jobs?: readonly Job[] }): Service {
  const due = options.jobs ?? jobs;
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<Promise<void>, string>();
  let isOver = false;

  async function runOnce(job: Job): Promise<void> {
    try {
      await runJob(app, job);
      runs().inc({ name: job.name, outcome: 'done' });
      lastSuccess().set({ name: job.name }, Date.now() / 1000);
    } catch (error) {
      // It was named below, and fails because the database is closed.
      if (isOver) return;
      runs().inc({ name: job.name, outcome: 'failed' });
      app.log.error({ err: error, job: job.name }, 'job failed');
    }
  }

  function schedule(job: Job, inMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = runOnce(job).finally(() => running.delete(run));
      running.set(run, job.name);
      const patience = job.patienceMs === undefined ? [] : [sleep(job.patienceMs, undefined, { ref: false })];
      void Promise.race([run, ...patience]).then(() => {
        if (!stopping) schedule(job, job.everyMs);
      });
    }, inMs);
    timers.add(timer);
  }

  for (const job of due) {
    interval().set({ name: job.name }, job.everyMs / 1000);
    // Counted from the start, so that a job that never succeeds shows too.
    lastSuccess().set({ name: job.name }, Date.now() / 1000);
    schedule(job, Math.min(job.everyMs, 1000));
  }
  return {
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await stopHotelLinks(app).catch((error: unknown) => app.log.warn({ err: error }, 'hotel links are not released'));
      // Jobs can be repeated, so a long one need not hold up the stop.
      await Promise.race([Promise.all(running.keys()), sleep(options.finishMs, undefined, { ref: false })]);
      isOver = true;
      if (running.size > 0)
        app.log.warn(
          { jobs: [...running.values()] },
          'jobs were cut off by the stop, and run again after the next start',
        );
    },
  };
}
