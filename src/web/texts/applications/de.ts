/** The sentences of the pages that applications lead to, in German. */
import type { applicationTexts as en } from './en.ts'

export const applicationTexts: typeof en = {
  requestFailed: {
    title: 'Die Anwendung hat einen Fehler gemacht',
    text: 'Die Anfrage der Anwendung kann nicht beantwortet werden. Gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal.',
    code: (error) => `Für die Entwickler der Anwendung: ${error}`,
  },
  goOn: {
    title: 'Sie sind angemeldet',
    lead: 'Sie werden zur Anwendung zurückgeleitet.',
    button: 'Weiter',
  },
}
