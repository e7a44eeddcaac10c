/** The words for sign-ins, in German. */
import type { MethodName } from '../names.ts'
import type { SignInWords } from './en.ts'

const withMethod: Readonly<Record<MethodName, string>> = {
  passkey: ' mit einem Passkey',
  password: ' mit einem Passwort',
  provider: ' über einen Identitätsanbieter',
  code: ' mit einem Einmalcode',
}

const at = (application: string | undefined) => (application ? ` bei ${application}` : '')

export const de: SignInWords = {
  succeeded: ({ user = 'Jemand', application, method }) =>
    `${user} hat sich${method ? withMethod[method] : ''}${at(application)} angemeldet`,
  failed: ({ user, application, reason }) =>
    `Anmeldung${user ? ` von ${user}` : ''}${at(application)} fehlgeschlagen${reason ? `: ${reason}` : ''}`,
  pending: ({ user = 'Jemand', application }) => `${user} hat die Anmeldung${at(application)} nicht abgeschlossen`,
  more: (name, count) => `${name} und ${count} weiteren`,
  outcomes: { succeeded: 'Erfolgreich', failed: 'Fehlgeschlagen', pending: 'Nicht abgeschlossen' },
  methods: { passkey: 'Passkey', password: 'Passwort', provider: 'Identitätsanbieter', code: 'Einmalcode' },
  failures: {
    unknownUser: 'unbekannter Benutzer',
    userLocked: 'der Benutzer ist gesperrt',
    userInactive: 'der Benutzer ist deaktiviert',
    wrongPassword: 'falsches Passwort',
    wrongTotp: 'falscher Code der Authenticator-App',
    wrongCode: 'falscher Code aus einer E-Mail oder SMS',
    wrongRecoveryCode: 'falscher Wiederherstellungscode',
    passkey: 'der Passkey wurde nicht akzeptiert',
    provider: 'die Anmeldung beim Identitätsanbieter ist gescheitert',
    factorLocked: 'zu viele falsche Versuche',
    notAllowed: 'eine Einstellung erlaubt es nicht',
    unknownClient: 'unbekannte Anwendung',
    wrongSecret: 'falsches Client-Secret',
    wrongRedirectUri: 'falsche Redirect-URI',
  },
  steps: {
    user: 'Benutzer erkannt',
    password: 'Passwort',
    passkey: 'Passkey',
    provider: 'Identitätsanbieter',
    totp: 'Authenticator-App',
    sms: 'Code per SMS',
    email: 'Code per E-Mail',
    recovery: 'Wiederherstellungscode',
    secondFactor: 'Zweiter Faktor',
    passwordChange: 'Passwortwechsel',
    application: 'Anwendung',
  },
  results: { passed: 'Bestanden', failed: 'Fehlgeschlagen', required: 'Verlangt' },
  decidedBy: 'Entschieden durch',
  levels: {
    instance: 'Einstellung der Instanz',
    organization: 'Einstellung der Organisation',
    application: 'Einstellung des Projekts',
    user: 'für diesen Benutzer festgelegt',
  },
  values: { true: 'ein', false: 'aus', PASSKEYS_TYPE_NOT_ALLOWED: 'nicht erlaubt' },
  passwordChangeRequired: 'Passwortwechsel verlangt',
  moreSteps: (count) =>
    count === 1 ? '1 weiterer Schritt wird nicht angezeigt.' : `${count} weitere Schritte werden nicht angezeigt.`,
  noSteps: 'Es wurden keine Schritte aufgezeichnet.',
  stepsTitle: 'Schritte',
}
