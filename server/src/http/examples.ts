/** A sample call and its answer. Tests check both against the contract. */
export interface Example {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In JSON, or as the text of a file. */
  readonly answer: unknown;
}

const ids = {
  location: '01a1fa3e-c7c1-712a-90d0-092a3852718a',
  visitor: '01a1fa3e-cbc1-7ef6-927f-4ddfcfc807e8',
  device: '01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9',
};
const location = { id: ids.location, name: 'Çınar Otel' };
const device = { id: ids.device, name: 'Lobi' };

const visitor = {
  id: ids.visitor,
  name: 'Ada Deniz',
  provider_type: 'username',
  provider_id: 'ada',
  username: 'ada',
  room_number: null,
  email: 'ada@example.com',
  phone: null,
  profile_id: null,
  profile: null,
  device: null,
  location_id: location.id,
  location,
  service: 'running',
  session_start_at: null,
  session_end_at: '2026-12-01T09:00:00Z',
  special_profile: false,
  blocked: false,
  created_at: '2026-11-20T15:24:05.120331Z',
  updated_at: '2026-11-20T15:24:05.120331Z',
  deleted_at: null,
  erased_at: null,
};

/** A list reply with these rows only. */
const pageOf = (path: string, rows: readonly unknown[], perPage: number) => {
  const only = `${path}?page=1`;
  return {
    data: rows,
    links: { first: only, last: only, next: null, prev: null },
    meta: { current_page: 1, from: 1, last_page: 1, path, per_page: perPage, to: rows.length, total: rows.length },
  };
};

const limit = (option: string) => ({ is_active: false, option, value: 1 });

const connection = {
  type: 'postgresql',
  db_host: 'pms.hotel.example',
  db_port: 5432,
  db_username: 'wifi',
  db_password: 'their password',
  db_name: 'hotel',
  db_table: 'front.guests',
  tls: true,
};

/** Examples of the most common calls, by the dotted name of the endpoint. */
export const examples: Readonly<Record<string, Example>> = {
  'auth.login': {
    body: { email: 'deniz@example.com', password: 'their password' },
    answer: {
      data: {
        token: 'qv0m1Tn8Zx…',
        user: {
          id: '01a1fa3e-cec1-7b76-9ea5-aef4ea861825',
          hid: 'DNZ-4821',
          first_name: 'Deniz',
          last_name: 'Ak',
          full_name: 'Deniz Ak',
          email: 'deniz@example.com',
          email_confirmed: true,
          phone_number: '+90 555 000 00 00',
          is_team_admin: false,
          can_create_location: false,
          role: 'member',
          total_devices: 1,
          total_portals: 1,
          permissions: ['view-clients', 'store-clients'],
          roles: [],
          active_location: location,
          locations: [{ ...location, time_zone: 'Europe/Istanbul' }],
          time_zone: 'Europe/Istanbul',
          deviceIds: null,
          language: 'tr',
          pending_email: null,
          two_factor: { enabled: false, app: false, passkeys: 0, required: false, recovery_codes: 0 },
        },
      },
    },
  },
  'visitors.list': {
    query: { per_page: '50', search: 'ada', providers: 'username,sms' },
    answer: pageOf('/v1/panel/client', [{ ...visitor, devices_online: 1, last_seen_on: '2026-11-21' }], 50),
  },
  'visitors.create': {
    body: {
      name: 'Ada Deniz',
      provider_type: 'username',
      username: 'ada',
      password: 'secret1',
      email: 'ada@example.com',
      session_end_at: '2026-12-01T12:00:00+03:00',
    },
    answer: {
      data: {
        ...visitor,
        location: { ...visitor.location, time_zone: 'Europe/Istanbul' },
        idNumber: null,
        birth_date: null,
        birth_day: null,
        birth_month: null,
        birth_year: null,
        shared_user: 1,
        session_duration: limit('day'),
        max_upload: limit('mbps'),
        max_download: limit('mbps'),
        total_paid_day: 0,
        charges_room: false,
        paid_end_at: null,
        balance: {
          seconds: 829_800,
          seconds_today: null,
          seconds_total: null,
          bytes: null,
          bytes_today: null,
          bytes_total: null,
          devices: 0,
        },
        password: 'secret1',
      },
      warnings: [],
    },
  },
  'visitors.bulk': {
    body: { total_user: 1, provider_type: 'username', name: 'Conference', username: 'conf', shared_user: 2 },
    answer: {
      data: [
        {
          id: ids.visitor,
          name: 'Conference 1',
          username: 'conf4k7p',
          password: 'h7wq3mzt',
          sign_in_url: 'https://guests.example.com/q/Zt81…',
        },
      ],
      warnings: [],
    },
  },
  'sessions.online': {
    query: { per_page: '200', mac: 'A1:B2' },
    answer: pageOf(
      '/v1/panel/onlines',
      [
        {
          rhid: '01a1fa3e-d091-73ee-b6c6-e51adeeae565',
          name: 'Ada Deniz',
          client: { id: ids.visitor, name: 'Ada Deniz', provider_type: 'username', room_number: null },
          device,
          device_name: device.name,
          network: null,
          client_mac: 'A1:B2:C3:D4:E5:F6',
          client_ip: '10.5.50.23',
          ipv6: ['2001:db8:50::23'],
          session_start_time: '2026-11-20T15:30:00Z',
          upload: 1_048_576,
          download: 73_400_320,
          figures_reported: true,
          updated_at: '2026-11-20T15:42:00Z',
          kick: null,
          endable: true,
        },
      ],
      200,
    ),
  },
  'sessions.history': {
    query: { session_date: '2026-11-01 00:00:00,2026-11-20 23:59:59', per_page: '1000000', download: 'true' },
    answer: `User,Phone,MAC,IP,Session start,Session end,Total download (MB),Total upload (MB)
Ada Deniz,,A1:B2:C3:D4:E5:F6,10.5.50.23,2026-11-20 18:30:00+03,2026-11-20 19:42:00+03,70,1
`,
  },
  'integrations.test': {
    body: connection,
    answer: {
      data: [
        { name: 'first_name', value: 'Ayşe' },
        { name: 'room_no', value: '101' },
        { name: 'check_out', value: '2026-11-22 12:00:00' },
      ],
    },
  },
};
