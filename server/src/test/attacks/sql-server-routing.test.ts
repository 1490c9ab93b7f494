import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { readMssql } from '#features/integrations/pms/mssql.queries.ts';
import { startSqlServer } from '#features/integrations/testing/sql-server.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { afterFile } from '#test/after-file.ts';

/**
 * Attack: an operator names their own SQL Server as the hotel's database. It accepts the login and routes the driver to
 * an address inside the installation's network, which the panel then reaches on the attacker's behalf.
 */
test('a SQL Server cannot route the connection to an address that is not allowed', async () => {
  let reached = 0;
  const inside = createServer(socket => {
    reached += 1;
    socket.destroy();
  });
  inside.listen(0, '127.0.0.2');
  await once(inside, 'listening');
  afterFile(() => inside.close());
  const login = { user: 'pms', password: 'secret' };
  const checked: string[] = [];
  const read = (port: number, allowed: string) =>
    readMssql({
      connection: {
        type: 'mssql',
        db_host: '127.0.0.1',
        db_port: port,
        db_username: login.user,
        db_password: login.password,
        db_name: 'hotel',
        db_table: 'dbo.guests',
      },
      host: '127.0.0.1',
      checkedAddress: async host => {
        checked.push(host);
        if (host !== allowed) throw new AddressRefused('this address is not allowed');
        return host;
      },
      columns: undefined,
      limit: 1,
    });

  const attacker = await startSqlServer(login, { host: '127.0.0.2', port: (inside.address() as AddressInfo).port });
  await expect(read(attacker.port, '127.0.0.1')).rejects.toMatchObject({ cause: expect.any(AddressRefused) });
  expect([checked, reached]).toEqual([['127.0.0.2'], 0]);

  const target = await startSqlServer(login);
  target.hold(['name'], [['Ada']]);
  const gateway = await startSqlServer(login, { host: '127.0.0.1', port: target.port });
  expect((await read(gateway.port, '127.0.0.1')).rows, 'an allowed route works').toEqual([{ name: 'Ada' }]);
});
