import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#lib/app.ts';
import { operatorsPair } from '#lib/radsec-files.ts';
import type { ServiceName } from '../settings.ts';
import { startMetrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import type { Service } from './service.ts';
import { startWebServer } from './web-server.ts';

export interface Folders {
  /** Folders of the built panel, guest portal and manual. */
  readonly panel: string;
  readonly captive: string;
  readonly manual: string;
}

/** Starts the chosen services; if one fails, the others are stopped again. */
export async function startServices(app: App & Pick<Readiness, 'hasKey'>, folders: Folders): Promise<Service> {
  const { settings } = app;
  // Fails at start-up when the certificate file is missing, not at the first device that needs its fingerprint.
  operatorsPair(settings);
  const readiness: Readiness = { process: 'starting', ...(app.hasKey && { hasKey: app.hasKey }) };
  const finishMs = settings.STOP_SECONDS * 1000;
  const listen = { host: settings.HOST, readiness, finishMs };
  // A process loads the services that it runs.
  const starts: Record<ServiceName, () => Promise<Service>> = {
    api: async () => {
      const { createApi } = await import('./api.ts');
      return startWebServer(await createApi(app, { panel: folders.panel, manual: folders.manual, readiness }), {
        ...listen,
        port: settings.PORT,
      });
    },
    captive: async () => {
      const { createCaptive } = await import('./captive.ts');
      return startWebServer(await createCaptive(app, { renderer: folders.captive, readiness }), {
        ...listen,
        port: settings.CAPTIVE_PORT,
      });
    },
    radius: async () => (await import('./radius.ts')).startRadius(app),
    syslog: async () => (await import('./syslog.ts')).startSyslog(app),
    jobs: async () => (await import('./jobs.ts')).startJobs(app, { finishMs }),
  };
  const started: Service[] = [];
  const stop = async () => {
    readiness.process = 'draining';
    await Promise.all(started.map(service => service.stop()));
    await metrics?.stop();
  };
  let metrics: Service | undefined;
  try {
    metrics = await startMetrics(app, readiness);
    for (const name of settings.SERVICES) started.push(await starts[name]());
  } catch (error) {
    await stop();
    throw error;
  }
  readiness.process = 'running';
  return {
    stop: async () => {
      // Load balancers see /readyz and send new work elsewhere, while everything is still served.
      readiness.process = 'draining';
      await sleep(settings.DRAIN_SECONDS * 1000);
      await stop();
    },
  };
}
