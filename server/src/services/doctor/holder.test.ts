import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePorts } from '#test/process.ts';
import { holderOf } from './holder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-holder-'));
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(ends.map(end => end()));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program, named as the product is, that has a UDP and a TCP port of an address. */
async function start(name: string, host: string, port: string): Promise<number> {
  const program = path.join(folder, name);
  mkdirSync(path.join(program, 'server/dist'), { recursive: true });
  writeFileSync(path.join(program, 'package.json'), JSON.stringify({ name }));
  writeFileSync(
    path.join(program, 'server/dist/main.js'),
    `const [host, port] = process.argv.slice(2);
    require('node:dgram').createSocket(host.includes(':') ? 'udp6' : 'udp4').bind(port, host, () =>
      require('node:net').createServer().listen(port, host, () => console.log('open')));`,
  );
  const child = spawn(process.execPath, ['server/dist/main.js', host, port], { cwd: program });
  ends.push(() => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    return ended;
  });
  await once(child.stdout, 'data');
  return child.pid!;
}

test('of several programs on a port the one at the address is named, and only the product is called Portico', async () => {
  const { PORT } = await freePorts();
  const portico = await start('portico', '127.0.0.1', PORT!);
  const other = await start('another', '127.0.0.2', PORT!);
  const onSix = await start('third', '::1', PORT!);
  for (const kind of ['UDP', 'TCP'] as const) {
    const at = (host: string) => holderOf(kind, host, Number(PORT));
    expect(at('127.0.0.1')).toMatchObject({ pid: portico, isPortico: true });
    expect(at('127.0.0.2')).toMatchObject({ pid: other, isPortico: false });
    expect(at('::1')).toMatchObject({ pid: onSix, isPortico: false });
    expect(at('127.0.0.3')).toBeUndefined();
    expect([portico, other]).toContain(at('0.0.0.0')?.pid);
    expect([portico, other, onSix]).toContain(at('::')?.pid);
  }
});

test.each(['0.0.0.0', '::'])('a program on %s has the port of each address', async host => {
  const { PORT } = await freePorts();
  const pid = await start('portico', host, PORT!);
  for (const it of ['127.0.0.1', '0.0.0.0', '::']) expect(holderOf('TCP', it, Number(PORT))?.pid).toBe(pid);
});
