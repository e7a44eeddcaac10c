/** Every sentence of the hosted pages, in German. */
import { accountTexts } from './account/de.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/de.ts'
import { signInTexts } from './sign-in/de.ts'

export const de: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...externalTexts,
  languages: 'Sprachen',
  summary: 'Bitte noch einmal ansehen',
  start: {
    title: 'Guten Tag',
    lead: 'Das ist Signet, ein Identitätsserver. Er verwahrt Konten und weiß, wer wer ist, damit Anwendungen es nicht müssen.',
    forgotten: 'Ich habe mein Passwort vergessen',
    api: 'Was Anwendungen fragen können (OpenAPI)',
    inbox: 'Posteingang für die Entwicklung',
    health: 'Ist der Server bereit?',
  },
  verifyEmail: {
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead: 'Ein Klick, und wir wissen, dass diese Adresse Ihnen gehört.',
    code: 'Code aus der E-Mail',
    codeMissing: 'Geben Sie den Code aus der E-Mail ein.',
    button: 'Adresse bestätigen',
    done: 'Ihre Adresse ist bestätigt',
    doneText: 'Vielen Dank. Mehr ist hier nicht zu tun: Sie können diese Seite schließen.',
  },
  password: {
    resetTitle: 'Wählen Sie ein neues Passwort',
    resetLead: 'Es tritt an die Stelle des bisherigen.',
    inviteTitle: 'Willkommen',
    inviteLead: 'Wählen Sie ein Passwort, und Ihr Konto ist bereit. Damit bestätigen Sie auch Ihre E-Mail-Adresse.',
    setupTitle: 'Richten Sie Ihren Server ein',
    setupLead:
      'Er ist in Ihren Händen. Wählen Sie ein Passwort, das sonst niemand kennt, oder nehmen Sie einen Passkey.',
    first: 'Neues Passwort',
    second: 'Noch einmal dasselbe',
    missing: 'Geben Sie ein Passwort ein.',
    different: 'Die beiden Passwörter sind nicht gleich.',
    resetButton: 'Passwort festlegen',
    inviteButton: 'Einladung annehmen',
    setupButton: 'Passwort festlegen',
    rules: 'Was ein gutes Passwort ausmacht',
    atLeast: (count) => `Mindestens ${count} Zeichen. Gut sind ein paar Wörter, die nichts miteinander zu tun haben.`,
    needsLowercase: 'Ein Kleinbuchstabe',
    needsUppercase: 'Ein Großbuchstabe',
    needsNumber: 'Eine Ziffer',
    needsSymbol: 'Ein Sonderzeichen, etwa ! oder ?',
    notCommon: 'Nichts, was viele benutzen, und nicht der eigene Name oder die eigene Adresse',
    resetDone: 'Ihr Passwort ist festgelegt',
    resetDoneText: 'Von nun an melden Sie sich mit dem neuen an. Sie können diese Seite schließen.',
    inviteDone: 'Ihr Konto ist bereit',
    inviteDoneText: 'Ihr Passwort ist festgelegt und Ihre E-Mail-Adresse bestätigt. Sie können diese Seite schließen.',
  },
  flaws: {
    too_short: (least) => `Das Passwort braucht mindestens ${least} Zeichen.`,
    too_long: (_least, most) => `Das Passwort darf höchstens ${most} Zeichen haben.`,
    no_lowercase: () => 'Das Passwort braucht einen Kleinbuchstaben.',
    no_uppercase: () => 'Das Passwort braucht einen Großbuchstaben.',
    no_number: () => 'Das Passwort braucht eine Ziffer.',
    no_symbol: () => 'Das Passwort braucht ein Sonderzeichen.',
    common: () => 'Zu viele Menschen benutzen dieses Passwort. Wählen Sie ein anderes.',
    own_name: () => 'Das Passwort ist Ihrem Namen oder Ihrer Adresse zu ähnlich. Wählen Sie ein anderes.',
  },
  setupDone: {
    title: 'Alles ist eingerichtet',
    name: (userName) => `Ihr Benutzername ist „${userName}“. Ihr Passwort ist festgelegt, und Sie sind angemeldet.`,
    next: 'Wie es weitergeht',
    token:
      'Programme melden sich mit dem Token aus der Datei admin.pat im Datenordner an. Verwahren Sie es wie einen Schlüssel.',
    mail: 'Solange kein Mailserver eingerichtet ist, bleibt jede E-Mail im Posteingang für die Entwicklung.',
    api: 'Alles Weitere geht über die API: Personen, Organisationen, Maschinen.',
  },
  forgotten: {
    title: 'Passwort vergessen?',
    lead: 'Nennen Sie uns Ihren Benutzernamen, und wir schicken einen Link an die E-Mail-Adresse Ihres Kontos.',
    name: 'Benutzername',
    missing: 'Geben Sie Ihren Benutzernamen ein.',
    button: 'Link schicken',
  },
  sent: {
    title: 'Sehen Sie in Ihr Postfach',
    text: 'Wenn es ein passendes Konto gibt, ist eine E-Mail mit einem Link unterwegs. Das kann eine Minute dauern; sehen Sie auch bei den unerwünschten E-Mails nach.',
    again:
      'Nach einigen Minuten noch nichts da? Prüfen Sie die Schreibweise und versuchen Sie es noch einmal, oder fragen Sie die Betreiber dieses Dienstes.',
  },
  stale: {
    title: 'Dieser Link gilt nicht',
    text: 'Vielleicht wurde er schon benutzt, ist zu alt oder durch einen neueren ersetzt.',
    button: 'Neuen Link schicken',
    setupText:
      'Vielleicht wurde er schon benutzt, ist zu alt oder durch einen neueren ersetzt. Wer den Server betreibt, macht mit dem Befehl „signet setup-link“ einen neuen.',
  },
  incomplete: {
    title: 'Ein Stück des Links fehlt',
    text: 'Mailprogramme brechen lange Links manchmal um. Kopieren Sie den ganzen Link aus der E-Mail in die Adresszeile.',
  },
  busy: {
    title: 'Einen Augenblick, bitte',
    text: 'Hier ist gerade viel los. Nichts ist verloren: Gehen Sie zurück und versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  notFound: {
    title: 'Hier ist nichts',
    text: 'Vielleicht ist die Adresse falsch geschrieben, oder es gibt die Seite nicht mehr.',
  },
  notAllowed: { title: 'So nicht', text: 'Diese Seite lässt sich auf diese Weise nicht benutzen.' },
  crossSite: {
    title: 'Das kam von anderswo',
    text: 'Das Formular wurde nicht von einer unserer Seiten abgeschickt; wir haben deshalb nichts getan. Öffnen Sie den Link aus Ihrer E-Mail noch einmal.',
  },
  unreadable: {
    title: 'Das konnten wir nicht lesen',
    text: 'Was ankam, ist keines unserer Formulare oder viel zu lang.',
  },
  fault: {
    title: 'Das ist unser Fehler',
    text: 'Hier ist etwas schiefgegangen, nicht bei Ihnen. Bitte versuchen Sie es in einer Weile noch einmal.',
  },
  signInFailed: {
    title: 'Die Anmeldung hat nicht geklappt',
    text: 'Sie hat zu lange gedauert oder war schon abgeschlossen. Gehen Sie dorthin zurück, wo Sie sich anmelden wollten, und beginnen Sie noch einmal.',
  },
  home: 'Zur Startseite',
  inbox: {
    title: 'Posteingang für die Entwicklung',
    lead: 'Solange kein Mailserver eingerichtet ist, bleibt jede E-Mail hier. Nur dieser Rechner kann diese Seite sehen.',
    empty: 'Noch keine E-Mail.',
    to: 'An',
    at: 'Datum',
    back: 'Alle E-Mails',
    asText: 'Als reiner Text',
    body: 'Text der E-Mail',
  },
}
