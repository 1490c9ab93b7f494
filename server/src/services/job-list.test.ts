import { expect, test } from 'vitest';
import { jobs } from './jobs.ts';

/** The names by which operators find the jobs in the metrics, by seconds between two runs. */
const due: Record<number, readonly string[]> = {
  1: ['push notices', 'send log counts', 'sms', 'webhooks'],
  2: [
    'delete past sessions',
    'hold hotel links',
    'mails',
    'read large files of past sessions',
    'read past sessions',
    'run imports',
    'send router commands',
  ],
  3: ['send session commands'],
  5: ['mail notices', 'sms delivery'],
  15: ['correct timestamps in the future', 'follow controllers', 'repair figures after a clock', 'watch devices'],
  20: ['read integrations'],
  30: ['close stale sessions', 'count backlogs', 'reconcile payments of licences', 'reconcile purchases'],
  60: [
    'domains',
    'expired visitors',
    'mail daily notices',
    'mail limits',
    'make backups',
    'seal log files',
    'sessions of blocked devices',
    'sessions that no router reports',
    'store log files',
    'tell unknown devices',
  ],
  300: [
    'erase archived names',
    'forget expired tickets',
    'forget unfetched permissions',
    'mail reports',
    'notify about quarantined log lines',
    'stamp log files',
    'tell problems',
  ],
  600: ['closed payment accounts', 'look at the clock'],
  900: ['forget unknown devices', 'old failures'],
  3600: [
    'archive old sessions',
    'delete old idempotent replies',
    'delete old log sources',
    'erase old log files',
    'forget unfetched scripts',
    'licences that end',
    'old sms',
    'trim log counts',
    'warn of ending certificates',
  ],
  21600: [
    'delete old scans of menus',
    'erase idle visitors',
    'erase old failed sign-ins',
    'erase unused pictures',
    'forget imported sessions',
    'forget old imports',
    'forget old sessions',
    'forget stays that are over',
    'forget unpaid purchases',
    'make partitions',
    'old mails',
    'old remembered guests',
    'old sign-ins',
    'old webhook deliveries',
    'rebuild indexes of finished months',
  ],
  86400: ['check log files', 'compare figures', 'delete old router commands', 'old notifications'],
};

/** Those that wait while the system clock is in doubt. */
const erasing = [
  'archive old sessions',
  'closed payment accounts',
  'delete old idempotent replies',
  'delete old log sources',
  'delete old router commands',
  'delete old scans of menus',
  'erase idle visitors',
  'erase old failed sign-ins',
  'erase old log files',
  'forget imported sessions',
  'forget old imports',
  'forget old sessions',
  'forget stays that are over',
  'forget unknown devices',
  'forget unpaid purchases',
  'old mails',
  'old notifications',
  'old remembered guests',
  'old sms',
  'old webhook deliveries',
  'trim log counts',
];

test('every job runs at its interval', () => {
  const found: Record<number, string[]> = {};
  for (const { name, everyMs } of jobs) (found[everyMs / 1000] ??= []).push(name);
  for (const names of Object.values(found)) names.sort();
  expect(found).toEqual(due);
});

test('jobs that erase old data wait while the clock is in doubt', () => {
  const found = jobs.filter(it => it.erases).map(it => it.name);
  expect(found.sort()).toEqual(erasing);
});

test('jobs that ask servers of others do not wait for a slow one', () => {
  const found = jobs.flatMap(it => (it.patienceMs ? [[it.name, it.patienceMs]] : []));
  expect(Object.fromEntries(found)).toEqual({ 'send router commands': 2000, mails: 2000, sms: 1000 });
});
