import type { Texts } from './keys.ts';

export const de: Texts = {
  fields: {
    username: 'Benutzername',
    password: 'Passwort',
    citizen_id: 'Ausweisnummer',
    first_name: 'Vorname',
    last_name: 'Nachname',
    birth_date: 'Geburtsdatum',
    room_number: 'Zimmernummer',
    id_number: 'Ausweis- oder Passnummer',
    departure_date: 'Abreisedatum',
    phone: 'Telefonnummer',
    email: 'E-Mail',
    security_code: 'Sicherheitscode',
  },
  optional: 'freiwillig',
  connect: 'Verbinden',
  connecting: 'Wird verbunden…',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  methods: 'Anmeldearten',
  languages: 'Sprache',
  agreements: { kvkk: 'Datenschutzhinweis', general: 'Nutzungsbedingungen' },
  back: 'Zurück',
  retry: 'Erneut versuchen',
  reference: 'Vorgang',
  online: {
    title: 'Sie sind verbunden',
    text: 'Viel Spaß im Internet.',
    almost: 'Gleich geschafft',
    almostText: 'Der Router schaltet Sie frei. Das dauert einen Augenblick.',
    timeLeft: 'Verbleibende Zeit',
    timeUsed: 'Verbunden seit',
    dataLeft: 'Verbleibende Daten',
    dataUsed: 'Verbrauchte Daten',
    unlimited: 'Unbegrenzt',
    goOn: 'Weiter zu {host}',
    logOut: 'Abmelden',
    refresh: 'Aktualisieren',
  },
  problems: {
    unknown_device: [
      'Dieses WLAN ist noch nicht eingerichtet',
      'Das Netz ist hier nicht bekannt. Bitte sagen Sie dem Personal Bescheid.',
    ],
    no_portal: [
      'Diese Seite ist noch nicht fertig',
      'Die Willkommensseite wurde noch nicht angelegt. Bitte sagen Sie dem Personal Bescheid.',
    ],
    not_from_router: [
      'Verbinden Sie sich zuerst mit dem WLAN',
      'Diese Seite öffnet sich von selbst, sobald Sie im Gäste-WLAN sind. Öffnen Sie dort eine beliebige Seite.',
    ],
    bad_return: [
      'Diesem Link ist nicht zu trauen',
      'Er führt nicht in dieses WLAN zurück. Trennen Sie die Verbindung, verbinden Sie sich neu und versuchen Sie es noch einmal.',
    ],
    license_over: [
      'Das Gäste-WLAN pausiert',
      'Das Gäste-WLAN ist hier zurzeit außer Betrieb. Bitte fragen Sie das Personal.',
    ],
    hotspot_off: [
      'Das Gäste-WLAN ist ausgeschaltet',
      'Das Personal hat den Gastzugang vorerst abgeschaltet. Bitte versuchen Sie es später.',
    ],
    blocked: [
      'Dieses Gerät ist gesperrt',
      'Es darf das WLAN hier nicht nutzen. Falls das ein Irrtum ist, fragen Sie bitte das Personal.',
    ],
    expired: ['Ihr Zugang ist abgelaufen', 'Die vereinbarte Zeit ist um. Das Personal kann sie verlängern.'],
    not_yet: [
      'Ihr Zugang hat noch nicht begonnen',
      'Versuchen Sie es zum Beginn noch einmal oder fragen Sie das Personal.',
    ],
    over_limit: [
      'Zu viele Geräte',
      'Dieses Konto wird auf so vielen Geräten genutzt wie erlaubt. Melden Sie eines ab und versuchen Sie es noch einmal.',
    ],
    over_quota: ['Ihr Datenvolumen für heute ist verbraucht', 'Morgen können Sie sich wieder verbinden.'],
    wrong_credentials: [
      'Benutzername oder Passwort ist falsch',
      'Bitte prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.',
    ],
    ticket_over: [
      'Das hat zu lange gedauert',
      'Die Anmeldung wurde nicht rechtzeitig fertig. Bitte versuchen Sie es noch einmal.',
    ],
    page_expired: ['Diese Seite ist veraltet', 'Bitte öffnen Sie die Anmeldeseite erneut.'],
    too_many: ['Zu viele Versuche', 'Bitte warten Sie {wait} und versuchen Sie es noch einmal.'],
    refused: [
      'Der Router hat die Verbindung abgelehnt',
      'Bitte versuchen Sie es noch einmal. Hilft das nicht, sagen Sie dem Personal Bescheid.',
    ],
    no_radius: ['Der Anmeldedienst antwortet nicht', 'Bitte versuchen Sie es in einer Minute noch einmal.'],
    not_found: ['Seite nicht gefunden', 'Unter dieser Adresse ist nichts.'],
    away: [
      'Einen Augenblick bitte',
      'Ein benötigter Teil ist gerade nicht erreichbar. Versuchen Sie es in ein paar Sekunden noch einmal.',
    ],
    broken: ['Etwas ist schiefgegangen', 'Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.'],
  },
};
