/** The sentences of signing in, in German. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Verbindung nicht sicher',
    text: 'Die Anmeldung erfordert eine verschlüsselte Verbindung. Öffnen Sie diese Seite mit einer Adresse, die mit https:// beginnt.',
  },
  wait: {
    title: 'Bitte warten',
    text: 'Zu viele Versuche.',
    again: 'Erneut versuchen',
    seconds: (count) =>
      count === 1 ? 'Versuchen Sie es in 1 Sekunde erneut.' : `Versuchen Sie es in ${count} Sekunden erneut.`,
    minutes: (count) => `Versuchen Sie es in ${count} Minuten erneut.`,
  },
  signIn: {
    title: 'Anmelden',
    name: 'Benutzername oder E-Mail-Adresse',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    button: 'Anmelden',
    or: 'oder',
    passkey: 'Mit Passkey anmelden',
    nameMissing: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    refused: 'Benutzername, E-Mail-Adresse oder Passwort ist falsch, oder dieses Konto ist derzeit nicht verfügbar.',
  },
  again: {
    title: 'Bestätigen Sie Ihre Identität',
    lead: (userName) =>
      `Sie sind als „${userName}“ angemeldet. Bestätigen Sie Ihre Identität, um Ihre Anmeldeeinstellungen zu ändern.`,
    button: 'Weiter',
    passkey: 'Passkey verwenden',
  },
  keys: {
    cancelled: 'Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es erneut.',
    known: 'Dieses Gerät oder dieser Sicherheitsschlüssel ist bereits registriert.',
    failed: 'Ihr Browser konnte den Vorgang nicht abschließen. Wählen Sie eine andere Methode.',
    unsupported: 'Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen neueren Browser.',
    needsScript: 'Passkeys erfordern JavaScript. Aktivieren Sie es in den Einstellungen Ihres Browsers.',
    unavailable: 'Auf dieser Website kann kein Passkey verwendet werden. Wählen Sie eine andere Methode.',
    tooLate: 'Der Vorgang hat zu lange gedauert. Laden Sie die Seite neu und versuchen Sie es erneut.',
    refused:
      'Der Passkey oder Sicherheitsschlüssel wurde nicht erkannt, oder der Vorgang hat zu lange gedauert. Versuchen Sie es erneut.',
  },
  secondFactor: {
    title: 'Bestätigung in zwei Schritten',
    lead: {
      u2f: 'Verwenden Sie Ihren Sicherheitsschlüssel.',
      totp: 'Geben Sie den Code aus Ihrer Authenticator-App ein. Jeder Code gilt einmal. Haben Sie ihn gerade verwendet, warten Sie auf den nächsten.',
      otp_email: 'Wir senden einen Bestätigungscode an Ihre E-Mail-Adresse.',
      otp_sms: 'Wir senden einen Bestätigungscode an Ihr Telefon.',
      recovery_code: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder Code gilt einmal.',
    },
    sent: {
      otp_email: 'Wir haben einen Bestätigungscode an Ihre E-Mail-Adresse gesendet. Er ist 5 Minuten gültig.',
      otp_sms: 'Wir haben einen Bestätigungscode an Ihr Telefon gesendet. Er ist 5 Minuten gültig.',
    },
    code: {
      totp: 'Bestätigungscode',
      otp_email: 'Bestätigungscode',
      otp_sms: 'Bestätigungscode',
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
    useKey: 'Sicherheitsschlüssel verwenden',
    send: 'Code senden',
    sendAgain: 'Neuen Code senden',
    others: 'Andere Methode wählen',
    missing: 'Geben Sie den Code ein.',
    refused:
      'Dieser Code ist falsch, abgelaufen oder wurde bereits verwendet. Versuchen Sie es mit einem neuen Code erneut.',
    notSent: 'Der Code konnte nicht gesendet werden. Wählen Sie eine andere Methode.',
  },
  requiredFactor: {
    title: 'Bestätigung in zwei Schritten einrichten',
    lead: 'Ihre Organisation verlangt einen zweiten Schritt bei der Anmeldung. Richten Sie ihn einmal ein, um fortzufahren.',
    none: 'Ihre Organisation verlangt die Bestätigung in zwei Schritten, aber für Sie ist keine Methode verfügbar. Wenden Sie sich an Ihre Administration.',
    app: 'Authenticator-App einrichten',
    key: 'Sicherheitsschlüssel einrichten',
  },
  app: {
    title: 'Authenticator-App einrichten',
    lead: 'Scannen Sie den QR-Code mit Ihrer App. Geben Sie dann den Code ein, den die App anzeigt.',
    picture: 'QR-Code für die Authenticator-App',
    byHand: 'Scannen nicht möglich? Geben Sie diesen Schlüssel in Ihrer App ein:',
    code: 'Bestätigungscode',
    button: 'Einrichtung abschließen',
    refused: 'Dieser Code ist falsch. Geben Sie den aktuellen Code aus Ihrer App ein.',
  },
  signedIn: {
    title: 'Sie sind angemeldet',
    lead: (userName) => `Willkommen, ${userName}. Sie werden weitergeleitet …`,
    go: 'Weiter',
    account: 'Zu Ihrem Konto',
  },
  signedOut: {
    title: 'Sie sind abgemeldet',
    lead: 'Ihre Sitzung in diesem Browser wurde beendet.',
    again: 'Erneut anmelden',
  },
  changePassword: {
    title: 'Passwort ändern',
    firstTitle: 'Passwort wählen',
    required: 'Ersetzen Sie Ihr vorläufiges Passwort durch ein neues, um fortzufahren.',
    current: 'Aktuelles Passwort',
    currentMissing: 'Geben Sie Ihr aktuelles Passwort ein.',
    wrong: 'Das aktuelle Passwort ist falsch.',
  },
  registerPasskey: {
    title: 'Passkey hinzufügen',
    lead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Geräte-PIN statt mit einem Passwort an.',
    refused:
      'Der Passkey konnte nicht hinzugefügt werden. Möglicherweise ist der Link abgelaufen, wurde bereits verwendet oder durch einen neueren ersetzt. Fordern Sie einen neuen Link an.',
    done: 'Passkey hinzugefügt',
    doneText: 'Sie können sich jetzt mit Ihrem Passkey anmelden.',
  },
  setUpPasskey: {
    button: 'Stattdessen einen Passkey verwenden',
    done: (userName) =>
      `Ihr Benutzername ist „${userName}“ und Ihr Passkey ist gespeichert. Melden Sie sich jetzt damit an.`,
  },
  setUpInsecure: {
    title: 'Einrichtung unter dieser Adresse nicht möglich',
    why: 'Sie haben diese Seite über http:// unter einer Adresse geöffnet, die nicht dieser Rechner ist. Browser stellen Passkeys nur über https:// bereit und speichern hier kein Sitzungs-Cookie. Sie könnten sich danach nicht anmelden. Es wurde nichts geändert, und Ihr Link ist weiterhin gültig.',
    how: 'Öffnen Sie den Link mit einer Adresse, die mit https:// beginnt, und setzen Sie SIGNET_EXTERNAL_URL auf diese Adresse. Auf dem Server selbst funktioniert auch http://localhost.',
  },
  userName: 'Benutzername',
}
