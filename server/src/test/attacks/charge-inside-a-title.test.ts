import { expect, test } from 'vitest';
import { Frames, parseRecord, writeRecord } from '#features/integrations/fias/records.ts';

/**
 * The attack: a member writes fields of a charge into the name of a package, such as another amount or another room. A code
 * page has no full-width bar (U+FF5C); written in plain letters it is the separator of the hotel's records.
 */

const title = 'Wi-Fi｜TA1｜RN999｜￨\u0003\u0002PS|TA1|';

test.for(['windows-1254', 'windows-1252', 'utf-8'] as const)('a title stays a title in %s', encoding => {
  const bytes = writeRecord(
    'PS',
    [
      ['RN', '101'],
      ['TA', 500],
      ['CT', title],
    ],
    encoding,
  );
  const records = [...new Frames().push(bytes)].map(it => parseRecord(it, encoding));
  expect(records).toHaveLength(1);
  const { type, fields } = records[0]!;
  expect([type, Object.keys(fields), fields['RN'], fields['TA']]).toEqual(['PS', ['RN', 'TA', 'CT'], '101', '500']);
});
