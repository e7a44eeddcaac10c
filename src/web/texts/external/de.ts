/** The sentences of signing in with identity providers, in German. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'Drittanbieter',
    signInWith: (name) => `Weiter mit ${name}`,
    more: 'Weitere Anmeldemethoden',
    goOnWith: (name) => `Weiter mit ${name}`,
    failed: {
      title: (name) => `Anmeldung mit ${name} fehlgeschlagen`,
      text: 'Sie hat zu lange gedauert, war bereits abgeschlossen oder ist hier nicht erlaubt. Es wurde nichts geändert. Versuchen Sie es erneut.',
    },
    cancelled: {
      title: (name) => `Anmeldung mit ${name} abgebrochen`,
      text: 'Es wurde nichts geändert. Versuchen Sie es erneut oder wählen Sie eine andere Anmeldemethode.',
    },
    unavailable: {
      title: (name) => `Anmeldung mit ${name} nicht verfügbar`,
      text: 'Der Anbieter antwortet nicht wie erwartet. Versuchen Sie es in einigen Minuten erneut oder wählen Sie eine andere Anmeldemethode.',
    },
    taken: {
      title: 'Dieses Konto ist bereits verknüpft',
      text: (name, account) =>
        `Das Konto „${account}“ bei ${name} ist mit einem anderen Benutzer verknüpft. Um sich damit anzumelden, melden Sie sich zuerst ab.`,
    },
    unlinked: {
      title: (name) => `Dieses Konto bei ${name} kann hier nicht verwendet werden`,
      text: (name, account) =>
        `Das Konto „${account}“ bei ${name} ist mit keinem Benutzer verknüpft. Bitten Sie Ihre Administration um Zugang.`,
    },
    back: 'Zurück zur Anmeldung',
    link: {
      title: (name) => `Ihr Konto bei ${name} verknüpfen?`,
      lead: (name, account, userName) =>
        `Sie haben sich mit dem Konto „${account}“ bei ${name} angemeldet. Wenn Sie es verknüpfen, kann sich jede Person mit Zugriff darauf als „${userName}“ anmelden.`,
      yes: 'Konto verknüpfen',
      no: 'Abbrechen',
    },
    welcome: {
      title: 'Willkommen',
      lead: (name, account) => `Sie haben sich mit dem Konto „${account}“ bei ${name} angemeldet.`,
      register: 'Prüfen Sie Ihre Angaben, um Ihr Konto zu erstellen.',
      firstName: 'Vorname',
      lastName: 'Nachname',
      userName: 'Benutzername',
      email: 'E-Mail-Adresse',
      button: 'Konto erstellen',
      firstNameWrong: 'Geben Sie einen gültigen Vornamen ein.',
      lastNameWrong: 'Geben Sie einen gültigen Nachnamen ein.',
      userNameWrong:
        'Dieser Benutzername ist nicht verfügbar. Wählen Sie einen anderen. Eine E-Mail-Adresse ist nur möglich, wenn es Ihre eigene ist.',
      emailWrong: 'Geben Sie eine gültige E-Mail-Adresse ein.',
      known: 'Haben Sie bereits ein Konto?',
      knownText: 'Melden Sie sich zuerst damit an. Danach können Sie die beiden Konten verknüpfen.',
      knownOnly:
        'Um es hier zu verwenden, melden Sie sich zuerst mit Ihrem bestehenden Konto an. Danach können Sie die beiden Konten verknüpfen.',
      signIn: 'Mit bestehendem Konto anmelden',
    },
    account: {
      title: 'Verknüpfte Konten',
      lead: 'Melden Sie sich mit einem Konto bei einem anderen Anbieter an.',
      off: 'Derzeit nicht verfügbar',
      link: (name) => `${name} verknüpfen`,
      more: 'Weitere Anbieter',
      other: 'Mit einem anderen Konto anmelden',
    },
  },
}
