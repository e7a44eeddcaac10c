/** The texts of the charts of sign-ins. */
import type { Texts } from '../../../texts/languages.ts'

const en = {
  title: 'Sign-ins',
  period: 'Period',
  days: (count: number) => `${count} days`,
  ofPeriod: (label: string, count: number) => `${label}, last ${count} days`,
  day: 'Day',
  succeeded: 'Sign-ins',
  failed: 'Failures',
  passkeyShare: 'Passkey share',
  outcomes: 'Sign-ins and failures by day',
  byMethod: 'Sign-ins by method',
  byApplication: 'By application',
  byApplicationHint: 'Sign-ins and failures together. At most 10 applications.',
  application: 'Application',
  otherApplication: 'Another application',
  passkeys: 'Passkey adoption',
  passkeysHint: 'The share of sign-ins with a passkey.',
  share: 'Share with a passkey',
  empty: 'No sign-ins in this period.',
}

const de: typeof en = {
  title: 'Anmeldungen',
  period: 'Zeitraum',
  days: (count) => `${count} Tage`,
  ofPeriod: (label, count) => `${label}, letzte ${count} Tage`,
  day: 'Tag',
  succeeded: 'Anmeldungen',
  failed: 'Fehlversuche',
  passkeyShare: 'Passkey-Anteil',
  outcomes: 'Anmeldungen und Fehlversuche pro Tag',
  byMethod: 'Anmeldungen nach Methode',
  byApplication: 'Nach Anwendung',
  byApplicationHint: 'Anmeldungen und Fehlversuche zusammen. Höchstens 10 Anwendungen.',
  application: 'Anwendung',
  otherApplication: 'Eine andere Anwendung',
  passkeys: 'Verbreitung von Passkeys',
  passkeysHint: 'Der Anteil der Anmeldungen mit einem Passkey.',
  share: 'Anteil mit Passkey',
  empty: 'Keine Anmeldungen in diesem Zeitraum.',
}

const fr: typeof en = {
  title: 'Connexions',
  period: 'Période',
  days: (count) => `${count} jours`,
  ofPeriod: (label, count) => `${label}, ${count} derniers jours`,
  day: 'Jour',
  succeeded: 'Connexions',
  failed: 'Échecs',
  passkeyShare: 'Part des clés d’accès',
  outcomes: 'Connexions et échecs par jour',
  byMethod: 'Connexions par méthode',
  byApplication: 'Par application',
  byApplicationHint: 'Connexions et échecs ensemble. 10 applications au plus.',
  application: 'Application',
  otherApplication: 'Une autre application',
  passkeys: 'Adoption des clés d’accès',
  passkeysHint: 'La part des connexions avec une clé d’accès.',
  share: 'Part avec une clé d’accès',
  empty: 'Aucune connexion pendant cette période.',
}

export const chartTexts: Texts<typeof en> = { en, de, fr }
