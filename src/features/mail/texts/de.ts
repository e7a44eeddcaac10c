/** What mails say in German. */
import type { LanguageTexts } from '../message-types.ts'

export const german: LanguageTexts = {
  labels: {
    code: 'Ihr Code',
    link: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
    validFor: (duration) => `Gültigkeitsdauer: ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      title: 'Bestätigen Sie Ihre E-Mail-Adresse',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Ein Klick genügt.',
      buttonText: 'Adresse bestätigen',
      footer:
        'Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren: Ohne Ihre Bestätigung geschieht nichts.',
    },
    password_reset: {
      subject: 'Neues Passwort festlegen',
      title: 'Neues Passwort festlegen',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'jemand – vermutlich Sie selbst – hat ein neues Passwort für Ihr Konto {{.UserName}} angefordert.',
      buttonText: 'Passwort festlegen',
      footer:
        'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist. Geben Sie diese E-Mail nicht weiter.',
    },
    invitation: {
      subject: 'Einladung zu {{.ApplicationName}}',
      title: 'Willkommen',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'für Sie wurde ein Konto bei {{.ApplicationName}} angelegt. Nehmen Sie die Einladung an und wählen Sie, wie Sie sich anmelden möchten.',
      buttonText: 'Einladung annehmen',
      footer: 'Falls Sie nicht wissen, worum es geht, können Sie diese E-Mail ignorieren. Geben Sie sie nicht weiter.',
    },
    passkey_link: {
      subject: 'Passkey hinzufügen',
      title: 'Passkey hinzufügen',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'öffnen Sie den Link auf dem Gerät, mit dem Sie sich künftig anmelden möchten, und fügen Sie Ihrem Konto einen Passkey hinzu.',
      buttonText: 'Passkey hinzufügen',
      footer:
        'Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail und informieren Sie Ihre Administration. Geben Sie sie nicht weiter.',
    },
    one_time_code: {
      subject: 'Ihr Code für die Anmeldung',
      title: 'Ihr Code für die Anmeldung',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'mit diesem Code schließen Sie Ihre Anmeldung ab.',
      buttonText: 'Anmelden',
      footer:
        'Niemand von unserer Seite wird Sie je nach diesem Code fragen. Falls Sie sich gerade nicht anmelden, ändern Sie Ihr Passwort.',
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
  },
}
