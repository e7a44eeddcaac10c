/** The built-in texts of emails in German. */
import type { LanguageTexts } from '../message-types.ts'

export const german: LanguageTexts = {
  labels: {
    code: 'Ihr Code',
    link: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diesen Link in Ihren Browser:',
    validFor: (duration) => `Gültig für ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      title: 'Bestätigen Sie Ihre E-Mail-Adresse',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
      buttonText: 'E-Mail-Adresse bestätigen',
      footer: 'Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    },
    password_reset: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      title: 'Setzen Sie Ihr Passwort zurück',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'wir haben eine Anfrage erhalten, das Passwort Ihres Kontos {{.UserName}} zurückzusetzen.',
      buttonText: 'Passwort zurücksetzen',
      footer:
        'Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert. Leiten Sie diese E-Mail nicht weiter.',
    },
    invitation: {
      subject: 'Einladung zu {{.ApplicationName}}',
      title: 'Willkommen',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'für Sie wurde ein Konto bei {{.ApplicationName}} erstellt. Nehmen Sie die Einladung an und wählen Sie, wie Sie sich anmelden möchten.',
      buttonText: 'Einladung annehmen',
      footer:
        'Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter.',
    },
    passkey_link: {
      subject: 'Fügen Sie einen Passkey hinzu',
      title: 'Fügen Sie einen Passkey hinzu',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'öffnen Sie diesen Link auf dem Gerät, mit dem Sie sich anmelden möchten, und fügen Sie Ihrem Konto einen Passkey hinzu.',
      buttonText: 'Passkey hinzufügen',
      footer:
        'Falls Sie dies nicht angefordert haben, ignorieren Sie diese E-Mail und informieren Sie Ihre Administration. Leiten Sie sie nicht weiter.',
    },
    one_time_code: {
      subject: 'Ihr Bestätigungscode',
      title: 'Ihr Bestätigungscode',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'schließen Sie mit diesem Code Ihre Anmeldung ab.',
      buttonText: 'Anmelden',
      footer: 'Geben Sie diesen Code nicht weiter. Falls Sie sich gerade nicht anmelden, ändern Sie Ihr Passwort.',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      title: 'Ihr Passwort wurde geändert',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'das Passwort Ihres Kontos {{.UserName}} wurde geändert.',
      buttonText: 'Anmelden',
      footer:
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und informieren Sie Ihre Administration.',
    },
    sign_in_locked: {
      subject: 'Ihre Anmeldung ist vorübergehend gesperrt',
      title: 'Ihre Anmeldung ist vorübergehend gesperrt',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'bei Ihrem Konto {{.UserName}} sind zu viele Anmeldeversuche fehlgeschlagen. Die Anmeldung ist deshalb für einige Zeit gesperrt. Sie können weiterhin einen Passkey verwenden oder Ihr Passwort zurücksetzen.',
      buttonText: 'Anmelden',
      footer:
        'Falls die Versuche nicht von Ihnen waren, wählen Sie ein Passwort, das Sie nirgends sonst verwenden, und informieren Sie Ihre Administration.',
    },
  },
}
