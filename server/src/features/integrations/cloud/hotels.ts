import type { CloudHotelConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { Apaleo } from './apaleo.ts';
import { Mews } from './mews.ts';
import type { CloudHotel } from './system.ts';

export const cloudHotel = (app: App, it: CloudHotelConnection): CloudHotel =>
  it.type === 'mews' ? new Mews(app, it) : new Apaleo(app, it);

export const testCloud = ({ app, connection }: ConnectionTest<CloudHotelConnection>): Promise<TestResult[]> =>
  cloudHotel(app, connection).test();
