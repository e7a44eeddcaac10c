/** The texts of web keys, in German. */
import type { WebKeyTexts } from './en.ts'

export const de: WebKeyTexts = {
  title: 'Web-Schlüssel',
  key: 'Web-Schlüssel',
  lead: 'Die Schlüssel, die Tokens signieren. Genau einer davon ist aktiv.',
  search: 'ID oder Algorithmus',
  published: 'Veröffentlichte Schlüssel (JWKS)',
  create: 'Web-Schlüssel erstellen',
  created: 'Der Web-Schlüssel wurde erstellt und veröffentlicht.',
  createHint: 'Der Schlüssel wird sofort veröffentlicht und signiert nichts, bis Sie ihn aktivieren.',
  id: 'ID (kid)',
  algorithm: 'Algorithmus',
  state: 'Status',
  states: { initial: 'Veröffentlicht', active: 'Aktiv', inactive: 'Inaktiv' },
  createdAt: 'Erstellt',
  changedAt: 'Geändert',
  type: 'Art',
  typeHint: 'RSA mit SHA-256 können alle Clients prüfen. Testen Sie die anderen zuerst mit Ihren Clients.',
  bits: 'Länge in Bits',
  hash: 'Hashfunktion',
  curve: 'Kurve',
  gone: 'Diesen Schlüssel gibt es nicht.',
  activeHint: 'Dieser Schlüssel signiert Tokens. Um ihn zu entfernen, aktivieren Sie zuerst einen anderen.',
  activate: 'Aktivieren',
  activated: 'Der Schlüssel signiert jetzt Tokens.',
  activateTitle: (id) => `„${id}“ aktivieren?`,
  activateHint:
    'Neue Tokens werden sofort mit diesem Schlüssel signiert. Clients müssen Zeit gehabt haben, ihn zu laden: Warten Sie nach dem Erstellen mindestens 10 Minuten.',
  remove: 'Entfernen',
  removed: 'Der Schlüssel wurde entfernt.',
  removeConsequence: 'Tokens, die er signiert hat, können nicht mehr geprüft werden.',
}
