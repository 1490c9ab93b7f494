import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = ['/usr/sbin/nginx', path.join(root, '.cache/nginx/usr/sbin/nginx')].find(file => existsSync(file));

interface Guests {
  readonly listen: number;
  readonly ports: readonly string[];
}

/**
 * Runs nginx in `folder` with the upstreams of deploy/nginx.conf, which point to `ports`, and a server without TLS for the
 * panel; with `guests`, also one for the guests.
 */
export async function startNginx(
  folder: string,
  listen: number,
  ports: readonly string[],
  guests?: Guests,
): Promise<() => Promise<void>> {
  if (!program) throw new Error('nginx is missing: npm test installs it');
  const shipped = readFileSync(path.join(root, 'deploy/nginx.conf'), 'utf8');
  const [first, second] = ports;
  const upstreams = shipped
    .slice(shipped.indexOf('upstream portico_panel'), shipped.indexOf('\nserver {'))
    .replace('127.0.0.1:8080', `127.0.0.1:${first}`)
    .replace('# server 127.0.0.1:8090', `server 127.0.0.1:${second}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${guests?.ports[0] ?? 8081}`)
    .replace('# server 127.0.0.1:8091', guests ? `server 127.0.0.1:${guests.ports[1]}` : '#');
  const panel = shipped.slice(shipped.indexOf('  location / {'), shipped.indexOf('  # Server-sent events'));
  const [, ofGuests] = /server_name wifi[^]*?(  location \/ \{[^]*?)\n\}\n/.exec(shipped)!;
  const guestServer = guests ? `server { listen 127.0.0.1:${guests.listen}; ${ofGuests} }` : '';
  mkdirSync(path.join(folder, 'temp'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder}/temp/${name};`)
    .join('\n');
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; ${temporary}
${upstreams}
server { listen 127.0.0.1:${listen}; ${panel} }
${guestServer} }`,
  );
  const child = spawn(program, ['-c', file, '-p', folder, '-e', `${folder}/error.log`], { stdio: 'ignore' });
  const exit = new Promise<void>(resolve => child.once('exit', () => resolve()));
  for (let tries = 0; ; tries++) {
    const answers = await fetch(`http://127.0.0.1:${listen}/healthz`).then(
      answer => answer.ok,
      () => false,
    );
    if (answers) break;
    if (child.exitCode !== null || tries > 100) throw new Error(readFileSync(`${folder}/error.log`, 'utf8'));
    await sleep(100);
  }
  return async () => {
    child.kill('SIGTERM');
    await exit;
  };
}
