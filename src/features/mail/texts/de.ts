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
    passkey_added: {
      subject: 'Ein Passkey wurde hinzugefügt',
      title: 'Ein Passkey wurde hinzugefügt',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'Ihrem Konto {{.UserName}} wurde ein Passkey oder Sicherheitsschlüssel hinzugefügt.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, entfernen Sie ihn aus Ihrem Konto und informieren Sie Ihre Administration.',
    },
    factor_added: {
      subject: 'Ein zweiter Schritt wurde hinzugefügt',
      title: 'Ein zweiter Schritt wurde hinzugefügt',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'Ihrem Konto {{.UserName}} wurde ein zweiter Schritt für die Anmeldung hinzugefügt.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, ändern Sie Ihr Passwort und informieren Sie Ihre Administration.',
    },
    factor_removed: {
      subject: 'Eine Anmeldemethode wurde entfernt',
      title: 'Eine Anmeldemethode wurde entfernt',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'aus Ihrem Konto {{.UserName}} wurde ein Passkey oder ein zweiter Schritt entfernt.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, ändern Sie Ihr Passwort und informieren Sie Ihre Administration.',
    },
    new_browser: {
      subject: 'Neue Anmeldung bei Ihrem Konto',
      title: 'Neue Anmeldung bei Ihrem Konto',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'bei Ihrem Konto {{.UserName}} gab es eine Anmeldung mit einem neuen Browser: {{.Detail}}.',
      buttonText: 'Anmelden',
      footer:
        'Falls Sie das nicht waren, beenden Sie die Sitzung in Ihrem Konto, ändern Sie Ihr Passwort und informieren Sie Ihre Administration.',
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      title: 'Ihre E-Mail-Adresse wurde geändert',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'die E-Mail-Adresse Ihres Kontos {{.UserName}} wurde geändert. Nachrichten gehen nicht mehr an diese Adresse.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, informieren Sie sofort Ihre Administration.',
    },
    phone_changed: {
      subject: 'Ihre Telefonnummer wurde geändert',
      title: 'Ihre Telefonnummer wurde geändert',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'die Telefonnummer Ihres Kontos {{.UserName}} wurde geändert oder entfernt.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, ändern Sie Ihr Passwort und informieren Sie Ihre Administration.',
    },
    deletion_requested: {
      subject: 'Ihr Konto wird gelöscht',
      title: 'Ihr Konto wird gelöscht',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'Sie haben verlangt, Ihr Konto {{.UserName}} zu löschen. Es wird am {{.Detail}} gelöscht. Bis dahin können Sie sich anmelden und die Löschung abbrechen.',
      buttonText: 'Anmelden',
      footer: 'Falls Sie das nicht waren, melden Sie sich an, brechen Sie die Löschung ab und ändern Sie Ihr Passwort.',
    },
    approval_requested: {
      subject: '{{.Detail}} bittet um Ihre Zustimmung',
      title: '{{.Detail}} bittet um Ihre Zustimmung',
      greeting: 'Guten Tag {{.DisplayName}},',
      text: 'Die Anwendung {{.Detail}} bittet Sie, etwas mit Ihrem Konto {{.UserName}} zu genehmigen. Öffnen Sie Ihre Kontoseite, lesen Sie, worum es geht, und stimmen Sie dort zu oder lehnen Sie ab. Die Anfrage verfällt in wenigen Minuten.',
      buttonText: 'Kontoseite öffnen',
      footer:
        'Wenn Sie das nicht erwartet haben, lehnen Sie die Anfrage ab. Wir fragen Sie nie per E-Mail nach einem Code.',
    },
  },
}
