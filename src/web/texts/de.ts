/** Every sentence of the hosted pages, in German. */
import { accountTexts } from './account/de.ts'
import { applicationTexts } from './applications/de.ts'
import { approvalTexts } from './approvals/de.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/de.ts'
import { methodTexts } from './methods/de.ts'
import { personalTexts } from './personal/de.ts'
import { signInTexts } from './sign-in/de.ts'

export const de: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Sprachen',
  summary: 'Es ist ein Problem aufgetreten',
  start: {
    title: 'Willkommen',
    lead: 'Melden Sie sich an, um Ihr Konto, Ihre Passkeys und die Anwendungen zu verwalten, die Sie nutzen.',
    forgotten: 'Passwort vergessen?',
    api: 'API-Referenz (OpenAPI)',
    inbox: 'Entwicklungs-Posteingang',
    health: 'Serverstatus',
    developers: 'Für Entwicklung und Betrieb',
  },
  verifyEmail: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
    code: 'Bestätigungscode',
    codeMissing: 'Geben Sie den Bestätigungscode aus der E-Mail ein.',
    button: 'E-Mail-Adresse bestätigen',
    done: 'E-Mail-Adresse bestätigt',
    doneText: 'Vielen Dank. Sie können diese Seite schließen.',
  },
  password: {
    resetTitle: 'Neues Passwort wählen',
    resetLead: 'Das neue Passwort ersetzt Ihr bisheriges. Sie können auch einen Passkey zur Anmeldung verwenden.',
    inviteTitle: 'Einladung annehmen',
    inviteLead:
      'Wählen Sie ein Passwort oder verwenden Sie einen Passkey, um Ihr Konto einzurichten. Damit bestätigen Sie auch Ihre E-Mail-Adresse.',
    setupTitle: 'Signet einrichten',
    recoverTitle: 'Wieder Zugang zum Konto erhalten',
    setupLead: 'Wählen Sie ein Passwort für Ihr Administratorkonto oder verwenden Sie einen Passkey.',
    first: 'Neues Passwort',
    second: 'Passwort wiederholen',
    missing: 'Geben Sie ein Passwort ein.',
    different: 'Die Passwörter stimmen nicht überein.',
    resetButton: 'Passwort festlegen',
    inviteButton: 'Einladung annehmen',
    setupButton: 'Passwort festlegen',
    rules: 'Anforderungen an das Passwort',
    atLeast: (count) => `Mindestens ${count} Zeichen`,
    needsLowercase: 'Ein Kleinbuchstabe',
    needsUppercase: 'Ein Großbuchstabe',
    needsNumber: 'Eine Ziffer',
    needsSymbol: 'Ein Sonderzeichen, zum Beispiel ! oder ?',
    notCommon: 'Kein häufig verwendetes Passwort, nicht Ihr Name oder Ihre E-Mail-Adresse',
    resetDone: 'Passwort festgelegt',
    resetDoneText: 'Melden Sie sich ab jetzt mit dem neuen Passwort an. Sie können diese Seite schließen.',
    inviteDone: 'Ihr Konto ist eingerichtet',
    inviteDoneText: 'Ihr Passwort ist festgelegt und Ihre E-Mail-Adresse bestätigt. Sie können diese Seite schließen.',
  },
  flaws: {
    too_short: (least) => `Das Passwort muss mindestens ${least} Zeichen lang sein.`,
    too_long: (_least, most) => `Das Passwort darf höchstens ${most} Zeichen lang sein.`,
    no_lowercase: () => 'Das Passwort muss einen Kleinbuchstaben enthalten.',
    no_uppercase: () => 'Das Passwort muss einen Großbuchstaben enthalten.',
    no_number: () => 'Das Passwort muss eine Ziffer enthalten.',
    no_symbol: () => 'Das Passwort muss ein Sonderzeichen enthalten.',
    common: () => 'Dieses Passwort wird zu häufig verwendet. Wählen Sie ein anderes.',
    own_name: () => 'Das Passwort ist Ihrem Namen oder Ihrer E-Mail-Adresse zu ähnlich. Wählen Sie ein anderes.',
  },
  setupEmail: {
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine Nachricht, um sie zu bestätigen.',
    label: 'E-Mail-Adresse',
    wrong: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    button: 'Weiter',
  },
  setupDone: {
    title: 'Einrichtung abgeschlossen',
    name: (userName) => `Ihr Benutzername ist „${userName}“. Ihr Passwort ist festgelegt und Sie sind angemeldet.`,
    next: 'Nächste Schritte',
    console: 'Benutzer, Organisationen, Projekte und Anwendungen verwalten Sie in der Konsole.',
    token: 'API-Clients melden sich mit dem Token aus der Datei admin.pat im Datenordner an. Halten Sie es geheim.',
    mail: 'Solange kein Mailserver eingerichtet ist, landen alle E-Mails im Entwicklungs-Posteingang.',
    api: 'Alles, was die Konsole kann, kann auch die API.',
  },
  forgotten: {
    title: 'Passwort zurücksetzen',
    lead: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wir senden Ihnen per E-Mail einen Link zum Zurücksetzen Ihres Passworts.',
    name: 'Benutzername oder E-Mail-Adresse',
    missing: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
    button: 'Link senden',
    closed: 'Ihr Passwort kann hier nicht zurückgesetzt werden. Wenden Sie sich an Ihre Administration.',
  },
  sent: {
    title: 'Prüfen Sie Ihren Posteingang',
    text: 'Falls es ein passendes Konto gibt, erhalten Sie in wenigen Minuten eine E-Mail mit einem Link. Sehen Sie auch im Spamordner nach.',
    again:
      'Keine E-Mail erhalten? Prüfen Sie Ihre Eingabe und versuchen Sie es erneut oder wenden Sie sich an Ihre Administration.',
  },
  stale: {
    title: 'Dieser Link ist ungültig',
    text: 'Er ist abgelaufen, wurde bereits verwendet oder durch einen neueren ersetzt. Fordern Sie einen neuen Link an.',
    button: 'Neuen Link senden',
    setupText:
      'Er ist abgelaufen, wurde bereits verwendet oder durch einen neueren ersetzt. Mit dem Befehl „signet setup-link“ erstellen Sie auf dem Server einen neuen, oder mit „signet admin recover“, wenn das Konto schon eingerichtet war.',
  },
  incomplete: {
    title: 'Dieser Link ist unvollständig',
    text: 'Manche E-Mail-Programme brechen lange Links um. Kopieren Sie den vollständigen Link aus der E-Mail in die Adresszeile.',
  },
  busy: {
    title: 'Bitte versuchen Sie es erneut',
    text: 'Der Server ist ausgelastet. Versuchen Sie es in einigen Sekunden erneut.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Prüfen Sie die Adresse. Möglicherweise wurde die Seite verschoben oder gelöscht.',
  },
  notAllowed: { title: 'Anfrage nicht erlaubt', text: 'Diese Seite unterstützt diese Art von Anfrage nicht.' },
  crossSite: {
    title: 'Anfrage blockiert',
    text: 'Das Formular wurde von einer anderen Website gesendet. Es wurde nichts geändert. Öffnen Sie die Seite oder den Link aus Ihrer E-Mail erneut.',
  },
  unreadable: {
    title: 'Ungültige Anfrage',
    text: 'Das Formular konnte nicht gelesen werden oder ist zu groß. Gehen Sie zurück und versuchen Sie es erneut.',
  },
  fault: {
    title: 'Etwas ist schiefgelaufen',
    text: 'Auf unserer Seite ist ein Fehler aufgetreten. Versuchen Sie es in einigen Minuten erneut.',
  },
  signInFailed: {
    title: 'Anmeldung fehlgeschlagen',
    text: 'Die Anmeldung hat zu lange gedauert oder war bereits abgeschlossen. Gehen Sie zurück zur Anwendung und beginnen Sie von vorn.',
  },
  home: 'Zur Startseite',
  inbox: {
    title: 'Entwicklungs-Posteingang',
    lead: 'Es ist kein Mailserver eingerichtet, daher kommen alle E-Mails hier an. Diese Seite ist nur auf diesem Rechner sichtbar.',
    locked:
      'Öffnen Sie den Link zum Posteingang, den der Server beim Start ausgibt. Der Schlüssel steht in der Datei „inbox-key“ im Datenordner.',
    empty: 'Noch keine E-Mails.',
    to: 'An',
    at: 'Datum',
    back: 'Alle E-Mails',
    asText: 'Nur Text',
    body: 'Inhalt der E-Mail',
  },
}
