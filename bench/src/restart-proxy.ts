import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, root } from './product.ts';
import { type Doors, doorsOf } from './restart-load.ts';
import type { System } from './restart-system.ts';

/** nginx with deploy/nginx.conf in front of the processes, but without TLS and on ports of its own. */
export async function startNginx(program: string, system: System): Promise<Doors & { stop: () => Promise<void> }> {
  const behind = doorsOf(system);
  const [panel, guests] = [await freePort(), await freePort()];
  const folder = path.join(system.folder, 'nginx');
  mkdirSync(folder);
  const servers = (urls: readonly string[]) => urls.map(url => `  server ${new URL(url).host} max_fails=0;\n`).join('');
  const upstream = (text: string, name: string, urls: readonly string[]) =>
    text.replace(new RegExp(`(upstream ${name} \\{\n)(?:.*server 127.*\n)+`), `$1${servers(urls)}`);
  let text = readFileSync(path.join(root, 'deploy/nginx.conf'), 'utf8');
  text = upstream(upstream(text, 'portico_panel', behind.panel), 'portico_guests', behind.guests);
  const [, first, second] = text.split(/^(?=server \{)/m).map(it => it.replaceAll(/^ *(?:listen|ssl_).*\n/gm, ''));
  const onPort = (server: string, port: number) => server.replace('{\n', `{\n  listen 127.0.0.1:${port};\n`);
  text = text.slice(0, text.search(/^server \{/m)) + onPort(first!, panel) + onPort(second!, guests);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(it => `${it}_temp_path ${folder}/${it};`);
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `user root; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${paths.join(' ')}\n${text}}\n`,
  );
  const child: ChildProcess = spawn(program, ['-c', path.join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: 'inherit',
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const url = (port: number) => `http://127.0.0.1:${port}`;
  while (!(await fetch(url(panel)).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    ...{ panel: [url(panel)], guests: [url(guests)] },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
