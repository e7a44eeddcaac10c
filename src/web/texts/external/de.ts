/** The sentences of signing in with accounts at other services, in German. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'einem anderen Dienst',
    signInWith: (name) => `Mit ${name} anmelden`,
    more: 'Weitere Wege zur Anmeldung',
    goOnWith: (name) => `Weiter mit ${name}`,
    failed: {
      title: (name) => `Die Anmeldung mit ${name} hat nicht geklappt`,
      text: 'Es dauerte zu lange, war schon abgeschlossen oder geht hier nicht. Nichts hat sich geändert; Sie können es noch einmal versuchen.',
    },
    cancelled: {
      title: (name) => `Sie haben sich nicht mit ${name} angemeldet`,
      text: 'Es wurde dort abgebrochen oder nicht erlaubt. Nichts hat sich geändert; Sie können es noch einmal versuchen oder einen anderen Weg wählen.',
    },
    unavailable: {
      title: (name) => `Die Anmeldung mit ${name} geht gerade nicht`,
      text: 'Von dort kommt nicht die Antwort, die kommen sollte. Versuchen Sie es in ein paar Minuten wieder, oder wählen Sie einen anderen Weg.',
    },
    taken: {
      title: 'Dieses Konto ist schon verknüpft',
      text: (name, account) =>
        `Das Konto „${account}“ bei ${name} gehört hier jemand anderem. Melden Sie sich zuerst ab, um es zu benutzen.`,
    },
    nobody: {
      title: (name) => `Dieses Konto bei ${name} lässt sich hier nicht benutzen`,
      text: (name, account) =>
        `Das Konto „${account}“ bei ${name} gehört hier niemandem. Fragen Sie bei denen nach, die diesen Dienst betreiben.`,
    },
    back: 'Zurück zur Anmeldung',
    link: {
      title: (name) => `Ihr Konto bei ${name} verknüpfen?`,
      lead: (name, account, userName) =>
        `Sie haben sich mit dem Konto „${account}“ bei ${name} angemeldet. Wenn Sie es verknüpfen, kann sich hier als „${userName}“ anmelden, wer es benutzen kann.`,
      yes: 'Ja, verknüpfen',
      no: 'Nein, lieber nicht',
    },
    welcome: {
      title: 'Willkommen',
      lead: (name, account) => `Sie haben sich mit dem Konto „${account}“ bei ${name} angemeldet.`,
      register: 'Sehen Sie das hier einmal durch, und Ihr Konto ist bereit.',
      firstName: 'Vorname',
      lastName: 'Nachname',
      userName: 'Benutzername',
      email: 'E-Mail-Adresse',
      button: 'Konto anlegen',
      firstNameWrong: 'Geben Sie einen Vornamen ein, der sich verwenden lässt.',
      lastNameWrong: 'Geben Sie einen Nachnamen ein, der sich verwenden lässt.',
      userNameWrong:
        'Dieser Benutzername lässt sich hier nicht verwenden. Wählen Sie einen anderen; eine E-Mail-Adresse nur, wenn es Ihre eigene ist.',
      emailWrong: 'Geben Sie eine E-Mail-Adresse ein.',
      known: 'Haben Sie hier schon ein Konto?',
      knownText: 'Melden Sie sich zuerst damit an; dann werden Sie gefragt, ob die beiden verknüpft werden sollen.',
      knownOnly:
        'Um es hier zu benutzen, melden Sie sich zuerst mit dem Konto an, das Sie hier haben; dann werden Sie gefragt, ob die beiden verknüpft werden sollen.',
      signIn: 'Mit meinem Konto anmelden',
    },
    account: {
      title: 'Konten bei anderen Diensten',
      lead: 'Mit einem Konto, das Sie anderswo haben, melden Sie sich auch hier an.',
      off: 'zurzeit nicht nutzbar',
      link: (name) => `${name} verknüpfen`,
      more: 'Weitere Dienste',
      other: 'Als jemand anderes anmelden',
    },
  },
}
