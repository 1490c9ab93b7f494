import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { inUrl, ownAddress } from '#lib/own-address.ts';
import { type ServiceName, type Settings, serviceNames } from '../../settings.ts';
import { type Finding, failure, messageOf, ok, warning } from './finding.ts';
import { type Holder, holderOf } from './holder.ts';

interface Port {
  readonly name: keyof Settings;
  readonly kind: 'TCP' | 'UDP';
  readonly host: string;
  readonly port: number;
}

const ofService: Readonly<Record<ServiceName, readonly (readonly [keyof Settings, 'TCP' | 'UDP'])[]>> = {
  api: [['PORT', 'TCP']],
  captive: [['CAPTIVE_PORT', 'TCP']],
  radius: [
    ['RADIUS_AUTH_PORT', 'UDP'],
    ['RADIUS_ACCT_PORT', 'UDP'],
    ['RADSEC_PORT', 'TCP'],
  ],
  syslog: [
    ['SYSLOG_PORT', 'UDP'],
    ['SYSLOG_PORT', 'TCP'],
    ['SYSLOG_TLS_PORT', 'TCP'],
    ['NETFLOW_PORT', 'UDP'],
  ],
  jobs: [],
};

const webPorts = new Set<keyof Settings>(['PORT', 'CAPTIVE_PORT']);

function portsOf(settings: Settings, services: readonly ServiceName[]): Port[] {
  const named = services
    .flatMap(service => ofService[service])
    .map(([name, kind]) => ({
      ...{ name, kind, port: Number(settings[name] ?? 0) },
      host: webPorts.has(name) ? settings.HOST : settings.UDP_HOST,
    }));
  const metrics = {
    name: 'METRICS_PORT',
    kind: 'TCP',
    host: settings.METRICS_HOST,
    port: settings.METRICS_PORT,
  } as const;
  return [...named, metrics].filter(it => it.port > 0);
}

/** Opens the port and closes it again. Rejects with the error that the product would get. */
function tryPort({ kind, host, port }: Port): Promise<void> {
  return new Promise((resolve, reject) => {
    if (kind === 'UDP') {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').once('error', reject);
      socket.bind(port, host, () => socket.close(() => resolve()));
      return;
    }
    const server = createServer().once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** A process that answers. Only its port for metrics tells what it runs; earlier versions do not. */
interface Running {
  readonly services?: readonly ServiceName[];
}

/** The product that answers at this address, even while it may not get work. Under load it may be slow. */
export async function answersAt(host: string, port: number): Promise<Running | undefined | 'slow'> {
  const first = await ask(host, port);
  // If this process was slow itself, its timer ran before it saw that the connection was refused.
  return first === 'slow' ? ask(host, port) : first;
}

const ask = (host: string, port: number): Promise<Running | undefined | 'slow'> =>
  fetch(`http://${inUrl(ownAddress(host))}:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
    .then(async answer => {
      const { status, services } = (await answer.json()) as { status?: unknown; services?: unknown };
      if (!answer.ok || status !== 'ok') return undefined;
      return Array.isArray(services) ? { services: serviceNames.filter(it => services.includes(it)) } : {};
    })
    .catch((error: Error) => (error.name === 'TimeoutError' ? 'slow' : undefined));

const atOf = (it: Port): string => `${it.name} ${it.kind} ${inUrl(it.host)}:${it.port}`;

/** Undefined where neither the process nor its answer can be seen. */
async function isPorticos(it: Port, holder: Holder | undefined): Promise<boolean | undefined> {
  if (holder?.isPortico) return true;
  if (!webPorts.has(it.name)) return holder && false;
  return (await answersAt(it.host, it.port)) !== undefined;
}

function usedByAnother(it: Port, holder: Holder | undefined): Finding {
  const which = holder ? `: ${holder.name}, process ${holder.pid}` : '';
  return failure(
    'ports',
    `${atOf(it)} is used by another program${which}`,
    `Stop it (ss -lpn), or set another ${it.name}`,
  );
}

/** Portico runs, but does not answer at this METRICS_PORT. */
function usedByPortico(ports: readonly { at: string; pid: number | undefined }[]): Finding {
  const pids = [...new Set(ports.flatMap(it => it.pid ?? []))];
  const which = pids.length > 0 ? ` (process ${pids.join(', ')})` : '';
  return warning(
    'ports',
    `${ports.map(it => it.at).join(', ')}: used by Portico itself${which}, whose METRICS_PORT is another`,
    'Run this with the settings of that process. If it is another installation, give each its own ports',
  );
}

/**
 * Checks that every port is free, or in use by the running product. `process`: what answers at METRICS_PORT. It may run fewer
 * services than the settings name, which other processes run then. `slow`: it did not answer in time.
 */
export async function checkPorts(
  settings: Settings,
  process: Awaited<ReturnType<typeof answersAt>>,
): Promise<Finding[]> {
  const running = process === 'slow' ? process : process !== undefined;
  const services = (process !== 'slow' && process?.services) || settings.SERVICES;
  const ports = portsOf(settings, services);
  const findings: Finding[] = [];
  const own: { at: string; pid: number | undefined }[] = [];
  if (running === 'slow')
    findings.push(
      warning(
        'ports',
        `METRICS_PORT ${settings.METRICS_PORT} is in use and did not answer in time: by the product under load, or by another program`,
        'Run this again when the machine has less to do. If it says the same, see which program it is (ss -lpn)',
      ),
    );
  for (const it of ports) {
    const error = await tryPort(it).then(
      () => undefined,
      (reason: NodeJS.ErrnoException) => reason,
    );
    if (error?.code === 'EADDRINUSE') {
      const holder = holderOf(it.kind, it.host, it.port);
      const porticos = running === 'slow' || (await isPorticos(it, holder));
      if (running === true && it.name === 'METRICS_PORT') continue;
      if (porticos === false || (porticos === undefined && !running)) findings.push(usedByAnother(it, holder));
      else if (!running) own.push({ at: atOf(it), pid: holder?.pid });
    } else if (running === true)
      findings.push(
        failure(
          'ports',
          `${atOf(it)} is not open although the product runs`,
          'Restart the product with these settings',
        ),
      );
    else if (error?.code === 'EACCES')
      findings.push(
        failure('ports', `${atOf(it)} may not be opened by this user`, `Set ${it.name} to a port above 1023`),
      );
    else if (error)
      findings.push(
        failure('ports', `${atOf(it)} cannot be opened: ${messageOf(error)}`, 'Set an address that this machine has'),
      );
  }
  if (own.length > 0) findings.push(usedByPortico(own));
  if (findings.length > 0) return findings;
  const of = services.length < serviceNames.length ? ` of ${services.join(', ')}` : '';
  return [ok('ports', `${ports.length} ports${of} are ${running ? 'served' : 'free'}`)];
}
