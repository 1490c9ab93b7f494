import { describe, expect, test } from 'vitest';
import { connectionValues, withoutEmptySecrets } from '#features/integrations/connection-values.ts';

describe('a changed connection', () => {
  test('keeps the stored secrets whose fields were left empty', () => {
    const secrets = { db_password: '', password: '', client_secret: '', headers: '' };
    expect(withoutEmptySecrets({ ...secrets, db_host: 'pms.example', sender: '' })).toEqual({
      db_host: 'pms.example',
      sender: '',
    });
  });

  test('sends the secrets that were typed', () => {
    expect(withoutEmptySecrets({ username: 'hotel', password: 'new secret' })).toEqual({
      username: 'hotel',
      password: 'new secret',
    });
  });
});

describe('the fields of a connection', () => {
  test('begin empty, with the usual port where there is one', () => {
    expect(connectionValues('mysql', 3306, undefined)).toEqual({
      type: 'mysql',
      db_host: '',
      db_port: 3306,
      db_username: '',
      db_password: '',
      db_name: '',
      db_table: '',
      tls: false,
    });
    expect(connectionValues('smtp', 587, undefined)).toMatchObject({ type: 'smtp', port: 587, security: 'starttls' });
    expect(connectionValues('netgsm', null, undefined)).toEqual({
      type: 'netgsm',
      username: '',
      password: '',
      sender: '',
    });
  });

  test('show what is stored, and never a secret', () => {
    const known = { type: 'netgsm', username: 'hotel', sender: 'OTEL' } as const;
    expect(connectionValues('netgsm', null, known)).toEqual({ ...known, password: '' });
  });
});
