import { plainCell } from '#lib/csv.ts';
import { CsvProblem, plainWord, readCsv } from '#lib/csv-read.ts';
import { joinGroup, limits, type Reading, Unreadable } from './reading.ts';
import { readMoment, readRate } from './values.ts';

type Field =
  | 'username'
  | 'code'
  | 'password'
  | 'first'
  | 'last'
  | 'email'
  | 'phone'
  | 'note'
  | 'group'
  | 'duration'
  | 'devices'
  | 'ends'
  | 'starts'
  | 'upload'
  | 'download'
  | 'active'
  | 'status'
  | 'hidden';

/** The columns of UniFi, User Manager, RADIUSdesk and daloRADIUS, by their plain words. */
const columns: ReadonlyMap<string, Field> = new Map(
  Object.entries<Field>({
    username: 'username',
    user: 'username',
    login: 'username',
    code: 'code',
    vouchercode: 'code',
    voucher: 'code',
    password: 'password',
    cleartextpassword: 'password',
    name: 'first',
    fullname: 'first',
    firstname: 'first',
    surname: 'last',
    lastname: 'last',
    email: 'email',
    phone: 'phone',
    mobilephone: 'phone',
    note: 'note',
    notes: 'note',
    comment: 'note',
    profile: 'group',
    actualprofile: 'group',
    group: 'group',
    groupname: 'group',
    duration: 'duration',
    time: 'duration',
    sharedusers: 'devices',
    simultaneoususe: 'devices',
    usagequota: 'devices',
    todate: 'ends',
    expire: 'ends',
    expires: 'ends',
    expiresat: 'ends',
    expiration: 'ends',
    fromdate: 'starts',
    up: 'upload',
    upload: 'upload',
    uploadlimit: 'upload',
    uplimit: 'upload',
    down: 'download',
    download: 'download',
    downloadlimit: 'download',
    downlimit: 'download',
    active: 'active',
    disabled: 'hidden',
    status: 'status',
  }),
);

/** `512`, `512 Kbps` or `2 Mbps`: UniFi counts in kbps. */
function rateOf(text: string): number | undefined {
  const [, digits, unit = 'k'] = /^(\d{1,9})\s*([kmg])?(?:bps|bit\/s|b)?$/i.exec(text) ?? [];
  return digits === undefined ? undefined : readRate(digits + unit);
}

/** Reads a table of guests: vouchers of UniFi, users of User Manager, RADIUSdesk or daloRADIUS. */
export function readGuestCsv(text: string, reading: Reading): void {
  let records: ReturnType<typeof readCsv>;
  try {
    records = readCsv(text, limits.accounts + 2);
  } catch (error) {
    if (error instanceof CsvProblem) throw new Unreadable(error.problem, { line: error.line });
    throw error;
  }
  const [header, ...rows] = records;
  const titles = header?.cells.map(cell => cell.trim()) ?? [];
  const fields = titles.map(title => columns.get(plainWord(title)));
  if (!fields.includes('username') && !fields.includes('code')) throw new Unreadable('import_unknown_file');
  if (rows.length > limits.accounts) throw new Unreadable('import_rows', { limit: limits.accounts });
  for (const { line, cells } of rows) {
    const of = (field: Field): string => {
      const at = fields.findIndex((it, i) => it === field && cells[i]?.trim());
      return at < 0 ? '' : plainCell(cells[at]!.trim());
    };
    // UniFi prints a code with a hyphen in the middle. Its guests may leave it out.
    const code = of('code').replace(/^(\d{5})-(\d{5})$/, '$1$2');
    const username = of('username') || code;
    if (!username) continue;
    const account = reading.account(username, line);
    const password = of('password') || code;
    if (password) account.passwords.push({ attribute: 'Cleartext-Password', value: password });
    account.first = of('first');
    account.last = of('last');
    account.email = of('email');
    account.phone = of('phone');
    account.note = of('note');
    joinGroup(account, of('group') || of('duration'), 1);
    if (/^\d{1,6}$/.test(of('devices')) && of('devices') !== '0') account.devices = Number(of('devices'));
    account.starts = readMoment(of('starts'));
    account.ends = readMoment(of('ends'));
    account.upload = rateOf(of('upload'));
    account.download = rateOf(of('download'));
    account.blocked = /^(?:0|no|false)$/i.test(of('active')) || /^(?:1|yes|true)$/i.test(of('hidden'));
    account.over = /expired|depleted|used up/i.test(of('status'));
    for (const [i, title] of titles.entries()) if (title && !fields[i] && cells[i]?.trim()) reading.ignore(title, line);
  }
}
