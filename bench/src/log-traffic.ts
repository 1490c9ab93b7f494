import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/** Another script of this folder as its own process, which answers each message with one message. */
export function startPart<Question, Answer>(script: string, args: readonly string[] = []) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, { serialization: 'advanced' });
  const next = () =>
    new Promise<Answer>((resolve, reject) => {
      const ended = () => reject(new Error(`${script} ended`));
      child.once('exit', ended);
      child.once('message', answer => {
        child.off('exit', ended);
        resolve(answer as Answer);
      });
    });
  return {
    pid: child.pid!,
    /** The next message that it sends on its own. */
    next,
    ask: (question: Question) => {
      const answer = next();
      child.send(question as object);
      return answer;
    },
    stop: () => child.connected && child.disconnect(),
  };
}

/** Datagrams that the kernel dropped at a port because its buffer was full. */
export function droppedAt(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .map(text => text.trim().split(/\s+/));
  const ours = sockets.filter(fields => fields[1]?.endsWith(`:${hex}`));
  return ours.reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
}

/** Lines whose counts are committed, of all devices or of some. */
export async function committed(sql: pg.Client, nas?: readonly string[]): Promise<number> {
  const { rows } = await sql.query(
    `select coalesce(sum(h.lines), 0) as n from log_hours h join devices d on d.tenant_id = h.tenant_id and d.id = h.device_id
    where $1::text[] is null or d.nas_identifier = any($1)`,
    [nas ?? null],
  );
  return Number(rows[0].n);
}

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
