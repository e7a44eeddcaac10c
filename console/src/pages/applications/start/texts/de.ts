/** The texts of the first steps with an application, in German. */
import type { StartTexts } from './en.ts'

export const de: StartTexts = {
  settings: 'Umgebungsvariablen',
  settingsHint:
    'Speichern Sie sie als .env neben Ihrem Code, und nehmen Sie die Datei nicht in die Versionsverwaltung auf. Der Download heißt app.env: Benennen Sie ihn in .env um.',
  secretUnknown:
    'Ersetzen Sie YOUR_CLIENT_SECRET durch das Secret, das Sie gespeichert haben. Ist es verloren, erzeugen Sie unter „Zugangsdaten“ ein neues.',
  audience: 'Audience',
  audienceUnknown:
    'Ersetzen Sie YOUR_API_ADDRESS durch die Adresse der API. Nehmen Sie sie im Projekt unter „API“ auf: Tokens werden für die Adressen dieser Liste ausgestellt.',
  download: '.env herunterladen',
  code: 'Code',
  codeHint: 'Eine vollständige kleine App. Übernehmen Sie daraus, was Sie brauchen.',
  framework: 'Framework',
  create: 'Neues Projekt',
  install: 'Installieren',
  run: 'Starten',
  try: 'Ausprobieren',
  trial: {
    hint: 'Führt die Anmeldung dieser App mit Ihrem eigenen Konto durch und zeigt, was die App über Sie erfahren würde. Die App erhält nichts.',
    button: 'Anmeldung testen',
    waiting: 'Schließen Sie die Anmeldung im anderen Fenster ab.',
    blocked:
      'Ihr Browser hat das Anmeldefenster blockiert. Erlauben Sie Pop-ups für diese Seite, und versuchen Sie es erneut.',
    failed: 'Die Anmeldung ist fehlgeschlagen',
    works: 'Die Anmeldung funktioniert',
    worksText: (name: string) => `${name} hat sich angemeldet. Das würde die App erhalten:`,
    idToken: 'ID-Token',
    userinfo: 'Userinfo',
    returnTitle: 'Hier sind Sie fertig',
    returnText: 'Schließen Sie dieses Fenster, und kehren Sie zur Konsole zurück.',
  },
  firstSignIn: {
    waiting: 'Wartet auf die erste Anmeldung in Ihrer App …',
    done: (name: string) =>
      name === ''
        ? 'Ihre App funktioniert: Jemand hat sich angemeldet.'
        : `Ihre App funktioniert: ${name} hat sich angemeldet.`,
  },
  secret: {
    leaveTitle: 'Seite verlassen, ohne das Secret zu kopieren?',
    leaveText: 'Es kann nicht noch einmal angezeigt werden. Sie müssten ein neues erzeugen.',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },
}
