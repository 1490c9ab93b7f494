import type { Language } from '@portico/contract/errors.ts';
import type { IdentityMatch, IdentityProof } from '@portico/contract/identity.ts';

export interface ReportWords {
  readonly title: string;
  readonly intro: string;
  readonly asked: string;
  readonly address: string;
  readonly port: string;
  readonly time: string;
  readonly mac: string;
  readonly reason: string;
  readonly lookedUp: string;
  readonly noMatch: string;
  readonly incomplete: string;
  readonly match: (number: number, of: number) => string;
  readonly tieLabel: string;
  readonly tie: Record<IdentityMatch['tie'], string>;
  readonly near: string;
  readonly proofLabel: string;
  readonly proofs: Record<IdentityProof, string>;
  /** The short form, for each line. */
  readonly lineProofs: Record<IdentityProof, string>;
  readonly certainLabel: string;
  readonly certain: string;
  readonly notCertain: string;
  readonly alsoTime: string;
  readonly answersTime: string;
  readonly twoTimes: string;
  readonly guest: string;
  readonly noGuest: string;
  readonly name: string;
  readonly signedInBy: string;
  readonly methods: Record<string, string>;
  readonly citizenId: string;
  readonly birthDate: string;
  readonly phone: string;
  readonly email: string;
  readonly username: string;
  readonly room: string;
  readonly consent: string;
  readonly agreed: (version: string, at: string) => string;
  readonly session: string;
  readonly started: string;
  readonly ended: string;
  readonly open: string;
  readonly traffic: string;
  readonly traffics: (down: string, up: string) => string;
  readonly notReported: string;
  readonly lease: string;
  readonly leases: Record<'dhcp' | 'accounting', string>;
  readonly location: string;
  readonly device: string;
  readonly lines: string;
  readonly signature: (fingerprint: string) => string;
  readonly page: (number: number, of: number) => string;
}

const en: ReportWords = {
  title: 'Who was it?',
  intro: 'The guest who used an IP address at a given time, according to the records of the operator.',
  asked: 'Query',
  address: 'IP address',
  port: 'Port',
  time: 'Time',
  mac: 'MAC address',
  reason: 'Case / reason',
  lookedUp: 'Looked up',
  noMatch: 'The records contain no guest for this address at this time.',
  incomplete:
    'There may be more results: there were more than 50 guests, or not all log lines could be read for this report.',
  match: (number, of) => (of > 1 ? `Result ${number} of ${of}` : 'Result'),
  tieLabel: 'How it was found',
  tie: {
    address: 'The guest had this address at this time.',
    translation: "The router's log shows that it translated the guest's address to the requested one (NAT).",
    lease: 'DHCP had leased the address to this device.',
    port: 'The guest used this port while the router had this address: likely, but not certain.',
    behind:
      'The guest and others were online behind this address at this time. Without translation logs they cannot be told apart.',
  },
  near: 'The session started or ended within five minutes of the requested time.',
  proofLabel: 'Evidence',
  proofs: {
    certificate: 'Log lines sent over TLS with the certificate of the router.',
    accounting: 'RADIUS accounting, authenticated with the secret or certificate of the router.',
    address:
      'Log lines from an address that the router had proven to be its own. Guests behind that address could have sent such lines, and over UDP a sender address can be forged.',
    operator: 'Log lines from an address that an administrator trusts. The router has not proven it.',
    portal: "The address that the guest's browser sent to the sign-in page. The router has not confirmed it.",
    unproven: 'Log lines whose source was not checked when they were received. Others could have sent them.',
  },
  lineProofs: {
    certificate: 'certificate',
    accounting: 'RADIUS',
    address: 'proven address',
    operator: 'trusted address',
    portal: 'portal',
    unproven: 'unproven',
  },
  certainLabel: 'Certainty',
  certain: 'Certain',
  notCertain: 'Not certain',
  alsoTime: 'Second time',
  answersTime: 'For the time',
  twoTimes: 'Clocks were set back, so this local time occurred twice. Both times were searched.',
  guest: 'Guest',
  noGuest: 'The device needed no sign-in, or the account was erased.',
  name: 'Name',
  signedInBy: 'Proof of identity',
  methods: {
    sms: 'Code sent to the phone number',
    'citizen-id': 'National identity number',
    'room-number': 'Room number and details of the hotel guest',
    username: 'Username and password given by the operator',
    email: 'E-mail address',
    temp: 'Free access, no proof',
  },
  citizenId: 'National identity number',
  birthDate: 'Date of birth',
  phone: 'Phone',
  email: 'E-mail',
  username: 'Username',
  room: 'Room',
  consent: 'Agreement',
  agreed: (version, at) => `version ${version}, accepted ${at}`,
  session: 'Session',
  started: 'Started',
  ended: 'Ended',
  open: 'still open',
  traffic: 'Traffic',
  traffics: (down, up) => `${down} received, ${up} sent`,
  notReported: 'not reported by the device',
  lease: 'Address assigned by',
  leases: { dhcp: 'DHCP (router log)', accounting: 'RADIUS accounting' },
  location: 'Location',
  device: 'Router',
  lines: 'Router log lines (time of receipt, UTC)',
  signature: fingerprint =>
    `This document is signed electronically (PKCS#7, SHA-256). A PDF reader shows any change to it. SHA-256 fingerprint of the certificate: ${fingerprint}`,
  page: (number, of) => `Page ${number} of ${of}`,
};

const tr: ReportWords = {
  title: 'Kimdi?',
  intro: 'İşletmenin kayıtlarına göre, belirtilen zamanda bir adresi kullanan ağ misafiri.',
  asked: 'Sorgu',
  address: 'IP adresi',
  port: 'Port',
  time: 'Zaman',
  mac: 'MAC adresi',
  reason: 'Dosya / gerekçe',
  lookedUp: 'Sorgulama zamanı',
  noMatch: 'Kayıtlarda bu adres ve zaman için kimse bulunamadı.',
  incomplete:
    'Gösterilenden fazla sonuç olabilir: 50’den fazla misafir vardı ya da bu rapor için log satırlarının tamamı okunamadı.',
  match: (number, of) => (of > 1 ? `Sonuç ${number} / ${of}` : 'Sonuç'),
  tieLabel: 'Nasıl bulundu',
  tie: {
    address: 'Misafir bu zamanda bu adresi kullanıyordu.',
    translation: 'Yönlendirici kaydına göre misafirin adresi sorulan adrese çevrildi (NAT).',
    lease: 'Adres bu cihaza verilmişti (DHCP).',
    port: 'Misafir, yönlendirici bu adresi kullanırken bu porttan bağlandı: olası, kesin değil.',
    behind:
      'Misafir bu zamanda, başkalarıyla birlikte bu adresin arkasında çevrimiçiydi: NAT kayıtları olmadan ayırt edilemez.',
  },
  near: 'Oturum, sorulan zamana beş dakikadan yakın bir anda başladı veya bitti.',
  proofLabel: 'Dayanağı',
  proofs: {
    certificate: 'Yönlendiricinin sertifikasıyla TLS üzerinden gönderilen log satırları.',
    accounting:
      'Yönlendiricinin paylaşılan anahtarı veya sertifikasıyla doğrulanan RADIUS oturum bildirimi (accounting).',
    address:
      'Yönlendiricinin kendisine ait olduğunu kanıtladığı adresten gelen log satırları. Bu adresin arkasındaki misafirler de böyle satırlar gönderebilir; UDP üzerinde gönderen adresi taklit edilebilir.',
    operator: 'Bir yöneticinin güvendiği adresten gelen log satırları. Yönlendirici bu adresi kanıtlamadı.',
    portal: 'Misafirin tarayıcısının giriş sayfasına bildirdiği adres. Yönlendirici bunu doğrulamadı.',
    unproven: 'Alındığında kaynağı denetlenmemiş log satırları. Başkaları da göndermiş olabilir.',
  },
  lineProofs: {
    certificate: 'sertifika',
    accounting: 'RADIUS',
    address: 'kanıtlı adres',
    operator: 'güvenilen adres',
    portal: 'portal',
    unproven: 'kanıtsız',
  },
  certainLabel: 'Kesinlik',
  certain: 'Kesin',
  notCertain: 'Kesin değil',
  alsoTime: 'İkinci zaman',
  answersTime: 'Şu zaman için',
  twoTimes: 'Saatler geri alındığı için bu yerel zaman iki kez yaşandı. İki zaman da arandı.',
  guest: 'Misafir',
  noGuest: 'Cihaz giriş yapmadan bağlandı ya da hesap silinmiş.',
  name: 'Ad soyad',
  signedInBy: 'Kimlik kanıtı',
  methods: {
    sms: 'Telefona gönderilen kod',
    'citizen-id': 'T.C. kimlik numarası',
    'room-number': 'Oda numarası ve konaklama bilgisi',
    username: 'İşletmenin verdiği kullanıcı adı ve parola',
    email: 'E-posta adresi',
    temp: 'Ücretsiz kullanım, kanıt yok',
  },
  citizenId: 'T.C. kimlik numarası',
  birthDate: 'Doğum tarihi',
  phone: 'Telefon',
  email: 'E-posta',
  username: 'Kullanıcı adı',
  room: 'Oda',
  consent: 'Sözleşme',
  agreed: (version, at) => `sürüm ${version}, onay: ${at}`,
  session: 'Oturum',
  started: 'Başlangıç',
  ended: 'Bitiş',
  open: 'hâlâ açık',
  traffic: 'Trafik',
  traffics: (down, up) => `${down} alındı, ${up} gönderildi`,
  notReported: 'cihaz bildirmedi',
  lease: 'Adresi veren',
  leases: { dhcp: 'DHCP (yönlendirici kaydı)', accounting: 'RADIUS oturum bildirimi' },
  location: 'Lokasyon',
  device: 'Yönlendirici',
  lines: 'Yönlendiricinin log satırları (alınma zamanı, UTC)',
  signature: fingerprint =>
    `Bu belge elektronik olarak imzalanmıştır (PKCS#7, SHA-256); üzerindeki her değişiklik PDF okuyucuda görünür. Sertifikanın SHA-256 parmak izi: ${fingerprint}`,
  page: (number, of) => `Sayfa ${number} / ${of}`,
};

export const reportWords: Record<Language, ReportWords> = { en, tr };
