import type { DeviceForm } from '@portico/contract/devices.ts';
import type { PackageForm } from '@portico/contract/packages.ts';
import type { ProfileForm } from '@portico/contract/profiles.ts';
import type { VoucherBatchForm } from '@portico/contract/vouchers.ts';
import type { SampleMenu } from './menu.ts';
import type { samplePortals } from './sample-portals.ts';

const on = <O extends string>(option: O, value: number) => ({ is_active: true, option, value });
const off = <O extends string>(option: O) => ({ is_active: false, option, value: 1 });

type Profile = Omit<ProfileForm, 'location_id'>;
/** `profile` is the name of one of the location's. */
type Vouchers = Pick<VoucherBatchForm, 'name' | 'count' | 'valid_for' | 'price' | 'currency' | 'at_desk'> & {
  profile: string;
};
/** `profile` is the name of one of the location's. */
type Package = Pick<PackageForm, 'name' | 'description' | 'price' | 'currency' | 'tax_rate' | 'max_days'> & {
  profile: string;
};
type Device = Pick<DeviceForm, 'name' | 'mac_address'> & {
  brand: 'mikrotik' | 'sophos' | 'watchguard';
  /** Not set up yet, so that no guest has come through it. */
  waiting?: true;
};

export interface SampleLocation {
  /** Its QR menu. */
  readonly menu: SampleMenu;
  readonly location: {
    name: string;
    country: string;
    city: string;
    district: string;
    available_providers: ('email' | 'username' | 'voucher')[];
  };
  readonly portal: keyof typeof samplePortals;
  readonly profiles: readonly Profile[];
  readonly devices: readonly Device[];
  readonly visitors: number;
  /** Its visitors have e-mail addresses. */
  readonly asksEmail?: true;
  readonly vouchers: readonly Vouchers[];
  /** What its guests buy. They pay at the test provider, without money. */
  readonly packages: readonly Package[];
}

const standard: Profile = {
  name: 'Standart',
  shared_user: 3,
  session_duration: on('hour', 4),
  max_upload: on('mbps', 4),
  max_download: on('mbps', 16),
  paid_sale: off('try'),
  daily_duration: off('hour'),
  total_duration: off('hour'),
  session_quota: off('gb'),
  daily_quota: off('gb'),
  total_quota: off('gb'),
  reduced_speed: off('mbps'),
  paid_days_from: 'first-use',
  is_default: true,
};

/** The sample data: a hotel, a café and a hospital, with names that their Turkish owners would choose. */
export const sample: readonly SampleLocation[] = [
  {
    menu: 'hotel',
    location: {
      name: 'Otel Mavi Koy',
      country: 'Türkiye',
      city: 'Muğla',
      district: 'Bodrum',
      available_providers: ['username', 'voucher'],
    },
    portal: 'Mavi Koy',
    profiles: [
      standard,
      {
        ...standard,
        name: 'Premium',
        is_default: false,
        session_duration: off('day'),
        max_download: on('mbps', 100),
        max_upload: on('mbps', 20),
        paid_sale: on('try', 250),
      },
    ],
    devices: [
      { brand: 'mikrotik', name: 'Lobi', mac_address: '48:A9:8A:10:20:01' },
      { brand: 'mikrotik', name: 'Havuz', mac_address: '48:A9:8A:10:20:02' },
    ],
    visitors: 24,
    vouchers: [
      {
        name: 'Günübirlik misafirler',
        profile: 'Standart',
        count: 20,
        valid_for: on('day', 1),
        price: 15_000,
        currency: 'try',
        at_desk: true,
      },
      {
        name: 'Premium, 3 gün',
        profile: 'Premium',
        count: 10,
        valid_for: on('day', 3),
        price: 60_000,
        currency: 'try',
        at_desk: true,
      },
      {
        name: 'Konferans',
        profile: 'Standart',
        count: 60,
        valid_for: on('day', 2),
        price: 0,
        currency: 'try',
        at_desk: false,
      },
    ],
    packages: [
      {
        profile: 'Premium',
        name: {
          tr: 'Premium internet',
          en: 'Premium internet',
          de: 'Premium-Internet',
          ru: 'Премиум-интернет',
          ar: 'إنترنت مميز',
        },
        description: {
          tr: 'Film ve görüntülü görüşme için 100 Mbit/s, üç cihaz.',
          en: '100 Mbit/s for films and video calls, on three devices.',
          de: '100 Mbit/s für Filme und Videoanrufe, auf drei Geräten.',
          ru: '100 Мбит/с для фильмов и видеозвонков, на трёх устройствах.',
          ar: '100 ميغابت/ث للأفلام ومكالمات الفيديو، على ثلاثة أجهزة.',
        },
        price: 25_000,
        currency: 'try',
        tax_rate: 2000,
        max_days: 14,
      },
    ],
  },
  {
    menu: 'cafe',
    location: {
      name: 'Kafe Çınar',
      country: 'Türkiye',
      city: 'İstanbul',
      district: 'Kadıköy',
      available_providers: ['email', 'username', 'voucher'],
    },
    portal: 'Kafe Çınar',
    profiles: [
      { ...standard, name: 'Bir saat', shared_user: 1, session_duration: on('hour', 1), max_download: on('mbps', 8) },
    ],
    devices: [{ brand: 'mikrotik', name: 'Tezgâh', mac_address: '48:A9:8A:10:20:03' }],
    visitors: 10,
    asksEmail: true,
    vouchers: [
      {
        name: 'Bir saat',
        profile: 'Bir saat',
        count: 30,
        valid_for: on('hour', 1),
        price: 0,
        currency: 'try',
        at_desk: true,
      },
    ],
    packages: [],
  },
  {
    menu: 'hospital',
    location: {
      name: 'Şehir Hastanesi',
      country: 'Türkiye',
      city: 'Ankara',
      district: 'Çankaya',
      available_providers: ['username'],
    },
    portal: 'Şehir Hastanesi',
    profiles: [
      { ...standard, name: 'Hasta ve ziyaretçiler', session_duration: on('day', 1), max_download: on('mbps', 12) },
    ],
    devices: [
      { brand: 'mikrotik', name: 'Ana bina', mac_address: '48:A9:8A:10:20:04' },
      { brand: 'sophos', name: 'Poliklinik', mac_address: '7C:5A:1C:10:20:05', waiting: true },
      { brand: 'watchguard', name: 'Acil servis', mac_address: 'D0FE12345678', waiting: true },
    ],
    visitors: 14,
    vouchers: [],
    packages: [],
  },
];
