import type { FastifyInstance } from 'fastify';
import { listenToChanges } from '#db/listen.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createDatabase } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { createLog } from '#lib/log.ts';
import { operatorsPair } from '#lib/radsec-files.ts';
import { createSecrets } from '#lib/secrets.ts';
import type { ServiceName, Settings } from '../settings.ts';
import { secretKey } from '../settings-secret.ts';
import { startMetrics } from './metrics.ts';
import type { Service } from './service.ts';

/** Opens the database (bringing it up to date) and everything that features are given. */
export async function openApp(settings: Settings, databaseUrl: string): Promise<App & Service> {
  const log = createLog(settings.LOG_LEVEL);
  let stopping = false;
  const warn = (error: Error) => {
    // The database may end a connection that we are closing.
    if (!stopping) log.warn({ err: error }, 'a database connection was lost');
  };
  const pool = createPool(databaseUrl, { max: 20, onError: warn });
  const changes = listenToChanges(databaseUrl, warn);
  try {
    await migrate(pool);
  } catch (error) {
    await Promise.all([changes.close(), pool.end()]);
    throw error;
  }
  return {
    db: createDatabase(pool),
    changes,
    settings,
    secrets: createSecrets(secretKey(settings)),
    log,
    stop: async () => {
      stopping = true;
      await changes.close();
      await pool.end();
    },
  };
}

async function serve(server: FastifyInstance, port: number, host: string): Promise<Service> {
  await server.listen({ port, host });
  return {
    stop: async () => {
      // Event streams never end by themselves.
      server.server.closeAllConnections();
      await server.close();
    },
  };
}

export interface Folders {
  /** The built panel, and the built renderer of the guest portal. */
  readonly panel: string;
  readonly captive: string;
}

/** Starts the chosen services; when one cannot start, those before it are stopped again. */
export async function startServices(app: App, folders: Folders): Promise<Service> {
  const { settings } = app;
  // Fails at start-up when the certificate file is missing, not at the first device that needs its fingerprint.
  operatorsPair(settings);
  // A process loads the services that it runs.
  const starts: Record<ServiceName, () => Promise<Service>> = {
    api: async () => {
      const { createApi } = await import('./api.ts');
      return serve(await createApi(app, { panel: folders.panel }), settings.PORT, settings.HOST);
    },
    captive: async () => {
      const { createCaptive } = await import('./captive.ts');
      return serve(await createCaptive(app, { renderer: folders.captive }), settings.CAPTIVE_PORT, settings.HOST);
    },
    radius: async () => (await import('./radius.ts')).startRadius(app),
    syslog: async () => (await import('./syslog.ts')).startSyslog(app),
    jobs: async () => (await import('./jobs.ts')).startJobs(app),
  };
  const started: Service[] = [];
  const stop = async () => {
    for (const service of started.reverse()) await service.stop();
  };
  try {
    for (const name of settings.SERVICES) started.push(await starts[name]());
    started.push(await startMetrics(settings));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
