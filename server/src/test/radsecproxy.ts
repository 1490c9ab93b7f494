import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { proxySecret } from './freeradius.ts';
import { freePort } from './process.ts';

const unpacked = fileURLToPath(new URL('../../../.cache/radsecproxy/usr/sbin/radsecproxy', import.meta.url));
const program = ['/usr/sbin/radsecproxy', unpacked].find(existsSync);

/** Debian's radsecproxy, which eduroam and many carriers use; `npm test` downloads it. */
export const hasRadsecproxy = program !== undefined;

/** It forwards UDP over TLS, with the certificate in `folder` (device.pem, device.key, ca.pem), and asks for its status. */
export async function startRadsecproxy(it: { folder: string; radsecPort: number }) {
  const { folder } = it;
  const port = await freePort();
  const file = path.join(folder, 'radsecproxy.conf');
  writeFileSync(
    file,
    `
ListenUDP 127.0.0.1:${port}
LogLevel 2
tls portico {
  CACertificateFile ${folder}/ca.pem
  CertificateFile ${folder}/device.pem
  CertificateKeyFile ${folder}/device.key
}
client 127.0.0.1 {
  type udp
  secret ${proxySecret}
}
server portico {
  host 127.0.0.1
  port ${it.radsecPort}
  type tls
  tls portico
  secret radsec
  statusServer on
  certificateNameCheck off
}
realm * {
  server portico
  accountingServer portico
}
`,
  );
  const child: ChildProcess = spawn(program!, ['-f', '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (said += chunk));
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  for (let waited = 0; waited < 10_000 && !said.includes('listening'); waited += 50) await sleep(50);
  return {
    port,
    log: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
