import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** User and system time so far, also that of children that have ended, in seconds. */
  readonly cpuSeconds: number;
}

/** Linux reports CPU time in hundredths of a second. */
const ticksPerSecond = 100;

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields are counted after the command's name, which may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** A process and everything it started, directly or not. */
function family(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => statOf(Number(name)))
    .filter(stat => stat !== undefined);
  const members = new Set([pid]);
  for (let before = 0; before !== members.size; ) {
    before = members.size;
    for (const stat of all) if (members.has(stat.parent)) members.add(stat.pid);
  }
  return all.filter(stat => members.has(stat.pid));
}

/** CPU time of a process so far, in seconds; with `all` also that of its running descendants. */
export const cpuOf = (pid: number, all = false): number =>
  (all ? family(pid) : [statOf(pid)]).reduce((sum, stat) => sum + (stat?.cpuSeconds ?? 0), 0);

const pssOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Memory of a process and its descendants in bytes. Shared memory counts once. */
export const memoryOf = (pid: number): number => family(pid).reduce((sum, stat) => sum + pssOf(stat.pid), 0);
