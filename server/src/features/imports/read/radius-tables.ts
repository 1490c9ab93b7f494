import { joinGroup, type Reading } from './reading.ts';
import type { SqlRow } from './sql-dump.ts';
import { readMoment } from './values.ts';

/** The tables that are read. The tables on the second line are RADIUSdesk's. */
export const radiusTables = new Set([
  ...['radcheck', 'radreply', 'radusergroup', 'usergroup', 'radgroupcheck', 'radgroupreply', 'userinfo', 'radacct'],
  ...['permanent_users', 'vouchers'],
]);

/** Columns of people that visitors do not have; reported where they hold something. */
const notTaken: Readonly<Record<string, readonly string[]>> = {
  userinfo: ['department', 'company', 'address', 'city', 'state', 'country', 'zip'],
  permanent_users: ['address', 'static_ip', 'data_cap', 'time_cap', 'extra_value', 'ppsk'],
  vouchers: ['data_cap', 'time_cap', 'extra_value', 'time_valid'],
};

const isOff = (value: string | null | undefined): boolean => value === '0' || value === 'f' || value === 'false';

/** Notes a row of a table of FreeRADIUS, daloRADIUS or RADIUSdesk. */
export function takeRow(reading: Reading, { table, line, values }: SqlRow): void {
  const text = (...columns: string[]): string => columns.map(column => values[column]?.trim()).find(Boolean) ?? '';
  if (table === 'radacct') {
    reading.accounting += 1;
    return;
  }
  const group = text('groupname');
  if (table === 'radgroupcheck' || table === 'radgroupreply') {
    if (group) reading.hint(group, `${text('attribute')} ${text('value')}`);
    return;
  }
  const username = text('username', table === 'vouchers' ? 'name' : 'username');
  if (!username) return;
  const account = reading.account(username, line);
  switch (table) {
    case 'radcheck':
    case 'radreply':
      // An attribute without a value is skipped. A password without a value counts as no password.
      if (text('attribute') && values['value']) reading.attribute(account, text('attribute'), values['value'], line);
      break;
    case 'radusergroup':
    case 'usergroup':
      joinGroup(account, group, Number(text('priority')) || 0);
      break;
    case 'userinfo':
      account.first = text('firstname');
      account.last = text('lastname');
      account.email = text('email');
      account.phone = text('mobilephone', 'workphone', 'homephone');
      account.note = text('notes');
      break;
    case 'permanent_users':
      account.first = text('name');
      account.last = text('surname');
      account.email = text('email');
      account.phone = text('phone');
      account.blocked ||= isOff(values['active']);
      account.starts = readMoment(text('from_date'));
      account.ends = readMoment(text('to_date')) ?? account.ends;
      joinGroup(account, text('profile'), 1);
      break;
    case 'vouchers':
      if (values['password']) account.passwords.push({ attribute: 'Cleartext-Password', value: values['password'] });
      account.over = ['depleted', 'expired'].includes(text('status'));
      account.ends = readMoment(text('expire')) ?? account.ends;
      account.note = text('batch');
      joinGroup(account, text('profile'), 1);
  }
  for (const column of notTaken[table] ?? []) if (text(column)) reading.ignore(column, line);
}
