/** The sentences of the pages that applications lead to, in German. */
import type { applicationTexts as en } from './en.ts'

export const applicationTexts: typeof en = {
  requestFailed: {
    title: 'Die Anfrage der Anwendung kann nicht beantwortet werden',
    text: 'Die Anwendung hat etwas gesendet, das dieser Server nicht annimmt. Ihr Konto ist davon nicht betroffen.',
    expired:
      'Die Anmeldung hat zu lange gedauert, war bereits abgeschlossen oder wurde in einem anderen Browser begonnen.',
    next: 'Gehen Sie zurück zur Anwendung und beginnen Sie von vorn. Wenn es wieder geschieht, wenden Sie sich an die Betreiber der Anwendung.',
    detail: 'Für die Entwickler der Anwendung',
  },
  goOn: {
    title: 'Zurück zur Anwendung',
    lead: 'Sie werden zur Anwendung zurückgeleitet.',
    button: 'Weiter',
  },
  signingOut: {
    title: 'Abmeldung',
    lead: (name) => `Sie werden bei ${name} abgemeldet.`,
    leavesSome:
      'Bei einigen Anwendungen sind Sie möglicherweise noch angemeldet. Schließen Sie zur Sicherheit den Browser.',
  },
  toApplication: {
    signIn: (name) => `Melden Sie sich an, um mit ${name} fortzufahren.`,
    again: (userName, name) =>
      `Sie sind als „${userName}“ angemeldet. Bestätigen Sie Ihre Identität, um mit ${name} fortzufahren.`,
    other: 'Anderes Konto verwenden',
    otherWays: 'Andere Möglichkeiten zur Anmeldung',
    register: 'Konto erstellen',
  },
  accounts: {
    title: 'Konto auswählen',
    lead: (name) => `Wählen Sie das Konto aus, das Sie mit ${name} verwenden möchten.`,
    goOn: (name) => `Weiter als ${name}`,
  },
  consent: {
    title: (name) => `Zugriff für ${name} erlauben?`,
    lead: (name, userName) => `Wenn Sie es erlauben, kann ${name} mit Ihrem Konto „${userName}“ Folgendes tun:`,
    allow: 'Erlauben',
    deny: 'Ablehnen',
    later: 'Sie können den Zugriff jederzeit auf Ihrer Kontoseite entziehen.',
  },
  asking: {
    app: 'Anwendung',
    unverified: 'nicht geprüft',
    goesTo: 'Führt Sie zu',
    onDevice: 'einer App auf diesem Gerät',
    resource: 'Zugriff auf',
    lasts: 'Dauer',
    untilSignOut: (time) => `bis Sie sich abmelden, höchstens ${time}`,
    untilUnused: (time, idle) => `höchstens ${time} oder ${idle} ohne Nutzung`,
    unverifiedNote:
      'Niemand hier hat diese Anwendung geprüft, und ihren Namen hat sie selbst gewählt. Erlauben Sie es nur, wenn Sie wissen, woher sie kommt.',
    onDeviceNote: 'Erlauben Sie es nur, wenn Sie dies gerade selbst in einer App auf diesem Gerät begonnen haben.',
  },
  scopes: {
    openid: 'Wissen, dass Sie sich angemeldet haben, und Sie wiedererkennen',
    profile: 'Ihren Namen, Ihren Benutzernamen und Ihre Sprache sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    phone: 'Ihre Telefonnummer sehen',
    address: 'Ihre Postanschrift sehen',
    offline_access: 'Den Zugriff behalten, während Sie die Anwendung nicht verwenden',
    roles: 'Ihre Rollen sehen',
    metadata: 'Die zusätzlichen Daten Ihres Kontos sehen',
    organization: 'Sehen, zu welcher Organisation Sie gehören',
    groups: 'Sehen, zu welchen Gruppen Sie gehören',
    api: 'Diesen Server in Ihrem Namen verwalten, soweit Ihr Konto das darf',
    projects: 'Andere Dienste in Ihrem Namen verwenden',
  },
  device: {
    title: 'Gerät verbinden',
    lead: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    code: 'Code',
    missing: 'Geben Sie den Code ein.',
    unknown: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie auf Ihrem Gerät einen neuen an.',
    button: 'Weiter',
    confirmTitle: (name) => `Zugriff für ${name} erlauben?`,
    confirmLead: (name, userName) =>
      `Ein Gerät mit ${name} möchte Ihr Konto „${userName}“ verwenden. Wenn Sie es erlauben, kann es Folgendes tun:`,
    sameCode: 'Ihr Gerät muss diesen Code anzeigen:',
    warning:
      'Erlauben Sie es nur, wenn Sie selbst damit begonnen haben und das Gerät bei sich haben. Niemand wird Sie je darum bitten.',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    allowed: 'Gerät verbunden',
    allowedText: 'Sie können diese Seite schließen und auf Ihrem Gerät weitermachen.',
    denied: 'Zugriff abgelehnt',
    deniedText: 'Das Gerät hat keinen Zugriff erhalten. Sie können diese Seite schließen.',
    noAccess: 'Kein Zugriff',
    noAccessText: (name) =>
      `Ihr Konto kann nicht mit ${name} verwendet werden. Wenden Sie sich an Ihre Administration.`,
  },
  signOutPage: {
    title: 'Abmelden?',
    lead: (userName) => `Sie sind als „${userName}“ angemeldet.`,
    button: 'Abmelden',
    stay: 'Angemeldet bleiben',
    back: 'Sie werden zur Anwendung zurückgeleitet.',
    goOn: 'Weiter',
  },
  register: {
    title: 'Konto erstellen',
    lead: (name) => `Erstellen Sie ein Konto, um mit ${name} fortzufahren.`,
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    button: 'Konto erstellen',
    nameWrong: 'Geben Sie Ihren Namen ein.',
    emailWrong: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    signIn: 'Ich habe schon ein Konto',
    codeTitle: 'Prüfen Sie Ihren Posteingang',
    codeLead: (email) =>
      `Wenn mit ${email} ein Konto erstellt werden kann, haben wir einen Bestätigungscode dorthin gesendet. Geben Sie ihn ein, um fortzufahren.`,
    code: 'Bestätigungscode',
    codeMissing: 'Geben Sie den Bestätigungscode aus der E-Mail ein.',
    codeWrong: 'Dieser Code ist falsch, abgelaufen oder wurde bereits verwendet.',
    codeButton: 'Weiter',
    sendAgain: 'Code erneut senden',
    known:
      'Keine E-Mail erhalten? Vielleicht haben Sie mit dieser Adresse schon ein Konto, oder die Adresse enthält einen Tippfehler.',
    closed: 'Sie können hier kein Konto erstellen',
    closedText: 'Konten werden von Ihrer Administration erstellt.',
  },
  access: {
    title: 'Anwendungen mit Zugriff',
    lead: 'Diese Anwendungen können Ihr Konto verwenden.',
    none: 'Keine Anwendung kann Ihr Konto verwenden.',
    firstUsed: 'Zuerst verwendet',
    lastUsed: 'Zuletzt verwendet',
    remove: 'Zugriff entziehen',
  },
}
