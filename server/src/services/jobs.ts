import { authJobs } from '#features/auth/public.ts';
import { certificateJobs, commandJobs, watchJobs } from '#features/devices/public.ts';
import { guestJobs } from '#features/guests/guests.jobs.ts';
import { integrationJobs, ownGateway, ownMail } from '#features/integrations/public.ts';
import { licenceJobs } from '#features/licences/public.ts';
import { logJobs } from '#features/logs/public.ts';
import { notificationJobs } from '#features/notifications/public.ts';
import { pictureJobs } from '#features/portals/public.ts';
import { reportMailJobs } from '#features/report-mails/public.ts';
import { sessionJobs } from '#features/sessions/public.ts';
import { visitorJobs } from '#features/visitors/visitors.jobs.ts';
import type { App } from '#lib/app.ts';
import { mailJobs } from '#mail/mail.jobs.ts';
import { smsJobs } from '#sms/sms.jobs.ts';
import type { Service } from './service.ts';

/** Work that repeats. It may run in several processes: it must do no harm when done twice. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (app: App) => Promise<void>;
}

/** Runs every feature's repeating work, each on its own clock and never twice at once. */
export function startJobs(app: App): Service {
  const jobs: readonly Job[] = [
    ...commandJobs,
    ...watchJobs,
    ...certificateJobs,
    ...integrationJobs,
    ...logJobs,
    ...sessionJobs,
    ...mailJobs(ownMail),
    ...smsJobs(ownGateway),
    ...authJobs,
    ...guestJobs,
    ...visitorJobs,
    ...notificationJobs,
    ...licenceJobs,
    ...reportMailJobs,
    ...pictureJobs,
  ];
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  function schedule(job: Job, inMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = job
        .run(app)
        .catch((error: unknown) => app.log.error({ err: error, job: job.name }, 'job failed'))
        .finally(() => {
          running.delete(run);
          if (!stopping) schedule(job, job.everyMs);
        });
      running.add(run);
    }, inMs);
    timers.add(timer);
  }

  for (const job of jobs) schedule(job, Math.min(job.everyMs, 1000));
  return {
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
