/** The sentences of signing in, in German. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Diese Verbindung ist nicht sicher',
    text: 'Zum Anmelden braucht es eine verschlüsselte Verbindung. Öffnen Sie diese Seite mit einer Adresse, die mit https beginnt.',
  },
  wait: {
    title: 'Einen Augenblick Geduld',
    text: 'Das waren zu viele Versuche hintereinander. Nichts ist verloren, und niemand ist hineingekommen.',
    again: 'Noch einmal versuchen',
    seconds: (count) =>
      count === 1
        ? 'In einer Sekunde können Sie es wieder versuchen.'
        : `In ${count} Sekunden können Sie es wieder versuchen.`,
    minutes: (count) => `In ${count} Minuten können Sie es wieder versuchen.`,
  },
  signIn: {
    title: 'Anmelden',
    name: 'Benutzername',
    password: 'Passwort',
    button: 'Anmelden',
    or: 'oder',
    passkey: 'Mit einem Passkey anmelden',
    nameMissing: 'Geben Sie Ihren Benutzernamen ein.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    refused: 'Der Benutzername oder das Passwort ist falsch, oder dieses Konto lässt sich zurzeit nicht benutzen.',
  },
  again: {
    title: 'Sind Sie es noch?',
    lead: (userName) =>
      `Sie sind als „${userName}“ angemeldet. Bevor Sie ändern, wie Sie sich anmelden, zeigen Sie noch einmal, dass Sie es sind.`,
    button: 'Weiter',
    passkey: 'Passkey benutzen',
  },
  keys: {
    cancelled: 'Das wurde abgebrochen oder dauerte zu lange. Sie können es noch einmal versuchen.',
    known: 'Dieses Gerät oder dieser Schlüssel ist schon registriert.',
    failed: 'Ihr Browser konnte das hier nicht. Sie können einen anderen Weg versuchen.',
    unsupported: 'Dieser Browser kann keine Passkeys benutzen. Ein neuerer kann es.',
    needsScript: 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
    unavailable: 'Passkeys lassen sich hier nicht benutzen: Für diese Adresse gibt es keinen.',
    tooLate: 'Das dauerte zu lange. Öffnen Sie die Seite noch einmal.',
    refused:
      'Das ging nicht: Der Schlüssel ist hier nicht bekannt, oder es dauerte zu lange. Sie können es noch einmal versuchen.',
  },
  secondFactor: {
    title: 'Noch ein Schritt',
    lead: {
      u2f: 'Benutzen Sie Ihren Sicherheitsschlüssel.',
      totp: 'Öffnen Sie Ihre Authenticator-App und tippen Sie den Code ab, den sie zeigt. Jeder gilt einmal: Haben Sie ihn eben benutzt, warten Sie auf den nächsten.',
      otp_email: 'Wir schicken einen Code an Ihre E-Mail-Adresse.',
      otp_sms: 'Wir schicken einen Code an Ihr Telefon.',
      recovery_code: 'Geben Sie einen der Wiederherstellungscodes ein, die Sie aufbewahrt haben. Jeder gilt einmal.',
    },
    sent: {
      otp_email: 'Ein Code ist an Ihre E-Mail-Adresse unterwegs. Er gilt fünf Minuten.',
      otp_sms: 'Ein Code ist an Ihr Telefon unterwegs. Er gilt fünf Minuten.',
    },
    code: {
      totp: 'Code aus der App',
      otp_email: 'Code aus der E-Mail',
      otp_sms: 'Code aus der Nachricht',
      recovery_code: 'Wiederherstellungscode',
    },
    names: {
      u2f: 'Sicherheitsschlüssel',
      totp: 'Authenticator-App',
      otp_email: 'Code per E-Mail',
      otp_sms: 'Code per SMS',
      recovery_code: 'Wiederherstellungscode',
    },
    button: 'Weiter',
    useKey: 'Sicherheitsschlüssel benutzen',
    send: 'Code schicken',
    sendAgain: 'Noch einen Code schicken',
    others: 'Ein anderer Weg',
    missing: 'Geben Sie den Code ein.',
    refused: 'Dieser Code ist falsch, wurde schon benutzt oder ist zu alt.',
    notSent: 'Auf diesem Weg lässt sich gerade kein Code schicken. Nehmen Sie einen anderen.',
  },
  requiredFactor: {
    title: 'Noch ein Schloss für Ihr Konto',
    lead: 'Ihre Organisation verlangt etwas neben dem Passwort. Richten Sie es einmal ein; von da an dauert es Sekunden.',
    none: 'Ihre Organisation verlangt etwas neben dem Passwort, aber es gibt nichts, was Sie selbst einrichten könnten. Fragen Sie die Betreiber dieses Dienstes.',
    app: 'Authenticator-App einrichten',
    key: 'Sicherheitsschlüssel einrichten',
  },
  app: {
    title: 'Richten Sie Ihre Authenticator-App ein',
    lead: 'Lesen Sie das Bild mit der App ein und tippen Sie dann den Code ab, den sie zeigt.',
    picture: 'QR-Code für die Authenticator-App',
    byHand: 'Ohne Kamera tippen Sie dies in die App:',
    code: 'Code aus der App',
    button: 'Fertig',
    refused: 'Das ist nicht der Code, den die App jetzt zeigt. Nehmen Sie den nächsten.',
  },
  signedIn: {
    title: 'Sie sind angemeldet',
    lead: (userName) => `Willkommen, ${userName}. Es geht gleich weiter.`,
    go: 'Weiter',
    account: 'Zu Ihrem Konto',
  },
  signedOut: {
    title: 'Sie sind abgemeldet',
    lead: 'Von diesem Browser aus kommt niemand mehr in Ihr Konto.',
    again: 'Wieder anmelden',
  },
  changePassword: {
    title: 'Ändern Sie Ihr Passwort',
    firstTitle: 'Wählen Sie ein Passwort',
    required: 'Bevor es weitergeht, wählen Sie ein eigenes Passwort anstelle dessen, das Sie bekommen haben.',
    current: 'Bisheriges Passwort',
    currentMissing: 'Geben Sie Ihr bisheriges Passwort ein.',
    wrong: 'Das bisherige Passwort ist falsch.',
  },
  registerPasskey: {
    title: 'Passkey hinzufügen',
    lead: 'Mit einem Passkey melden Sie sich mit dem Finger, dem Gesicht oder der PIN Ihres Geräts an, und niemand kann ihn stehlen wie ein Passwort.',
    refused: 'Das ging nicht. Vielleicht wurde der Link schon benutzt, ist zu alt oder durch einen neueren ersetzt.',
    done: 'Ihr Passkey ist gespeichert',
    doneText: 'Von nun an können Sie sich damit anmelden.',
  },
  setUpPasskey: {
    button: 'Stattdessen einen Passkey benutzen',
    done: (userName) =>
      `Ihr Benutzername ist „${userName}“, und Ihr Passkey ist gespeichert. Benutzen Sie ihn einmal, und Sie sind angemeldet.`,
  },
}
