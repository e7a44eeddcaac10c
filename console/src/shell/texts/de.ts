/** The texts of the frame, in German. */
import type { ShellTexts } from './en.ts'

export const de: ShellTexts = {
  skip: 'Zum Inhalt',
  menu: 'Navigation',
  documentation: 'Dokumentation',
  account: 'Mein Konto',
  signOut: 'Abmelden',
  language: 'Sprache',
  appearance: 'Darstellung',
  schemes: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  userMenu: (name) => `Menü von ${name}`,
  organization: 'Organisation',
  allOrganizations: 'Alle Organisationen',
  confirmed: 'Sie haben sich erneut angemeldet. Bitte wiederholen Sie, was Sie tun wollten.',
  signInFailed: 'Die Anmeldung ist fehlgeschlagen',
  tryAgain: 'Erneut versuchen',
  lost: {
    title: 'Verbindung unterbrochen',
    text: 'Der Server ist nicht erreichbar. Änderungen werden nicht gespeichert.',
  },
  notFound: { title: 'Seite nicht gefunden', text: 'Unter dieser Adresse gibt es keine Seite.' },
  noRoles: {
    title: 'Keine Administratorrolle',
    text: 'Sie haben keine Rolle, mit der Sie hier etwas verwalten können.',
  },
  search: {
    button: 'Personen suchen',
    label: 'Name, E-Mail-Adresse, Benutzername oder ID',
    nothing: 'Nichts gefunden',
  },
  navigation: {
    home: 'Start',
    users: 'Benutzer',
    organizations: 'Organisationen',
    projects: 'Projekte',
    identityProviders: 'Identitätsanbieter',
    mail: 'E-Mail',
    sms: 'SMS',
    signIn: 'Anmeldeeinstellungen',
    branding: 'Erscheinungsbild',
    webKeys: 'Webschlüssel',
    administrators: 'Administratoren',
    audit: 'Protokoll',
    settings: 'Einstellungen',
  },
  navigationGroups: { signIn: 'Anmeldung', messages: 'Nachrichten', system: 'System' },
}
