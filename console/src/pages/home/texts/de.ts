/** The texts of the first page, in German. */
import type { HomeTexts } from './en.ts'

export const de: HomeTexts = {
  title: 'Start',
  welcome: (name) => `Willkommen, ${name}`,
  protect: {
    title: 'Sichern Sie Ihre App ab',
    hint: 'In drei Schritten zur Anmeldung: Framework wählen, App benennen, Code kopieren.',
    button: 'App absichern',
  },
  server: 'Server',
  version: 'Version',
  address: 'Adresse dieses Servers',
  healthy: 'Bereit',
  unhealthy: 'Nicht bereit',
  users: 'Benutzer',
  sessions: 'Sitzungen jetzt',
  mailsWaiting: 'E-Mails, die gerade warten',
  mailsFailed: 'Gescheiterte E-Mails',
  standing: {
    title: 'Token von Administratoren, die nie ablaufen',
    hint: 'Wer ein solches Token hat, kann hier alles tun, bis es erneuert oder entfernt wird. Der erste Start hat eines in admin.pat geschrieben.',
    user: 'Benutzer',
    created: 'Erstellt',
    used: 'Zuletzt verwendet',
    notUsed: 'Noch nicht',
    open: 'Erneuern oder entfernen',
  },
  checklist: {
    title: 'Bevor sich andere darauf verlassen',
    allDone: 'Alles ist eingerichtet.',
    open: (count) => (count === 1 ? '1 Schritt ist offen.' : `${count} Schritte sind offen.`),
    done: 'Erledigt:',
    notDone: 'Offen:',
    mail: { label: 'Mailserver', hint: 'Ohne ihn verlässt keine E-Mail diesen Server.' },
    address: {
      label: 'Öffentliche Adresse',
      hint: 'Nur dieser Rechner erreicht die Adresse. Setzen Sie SIGNET_EXTERNAL_URL auf die öffentliche.',
    },
    administrator: {
      label: 'Zweiter Administrator',
      hint: 'Verliert der einzige seinen Passkey, ist die Konsole für alle geschlossen.',
    },
    passkey: { label: 'Ihr Passkey', hint: 'Schützt Ihr Konto besser als ein Passwort.' },
  },
}
