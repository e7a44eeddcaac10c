/** The texts of the audit. */
import type { Texts } from '../../../texts/languages.ts'

const en = {
  title: 'Audit',
  description: 'Everything that has changed, and who changed it.',
  live: 'Live',
  liveHint: (count: number) => (count === 0 ? 'Waiting for new events …' : `${count} new since it was switched on`),
  export: 'Export as NDJSON',
  exporting: (count: number) => `Stop (${count.toLocaleString('en')} events)`,
  sequence: 'No.',
  when: 'When',
  what: 'What happened',
  editor: 'By user (ID)',
  aggregate: 'Object (ID)',
  type: 'Type of event',
  kind: 'Type of object',
  since: 'From',
  until: 'Until',
  editors: { system: 'The server', visitor: 'A visitor', anonymous: 'A caller without a token' },
  older: 'Show older',
}

const de: typeof en = {
  title: 'Audit',
  description: 'Alles, was sich geändert hat, und wer es geändert hat.',
  live: 'Live',
  liveHint: (count) => (count === 0 ? 'Wartet auf neue Ereignisse …' : `${count} neu seit dem Einschalten`),
  export: 'Als NDJSON exportieren',
  exporting: (count) => `Anhalten (${count.toLocaleString('de')} Ereignisse)`,
  sequence: 'Nr.',
  when: 'Wann',
  what: 'Was geschah',
  editor: 'Von Benutzer (ID)',
  aggregate: 'Objekt (ID)',
  type: 'Art des Ereignisses',
  kind: 'Art des Objekts',
  since: 'Von',
  until: 'Bis',
  editors: { system: 'Der Server', visitor: 'Ein Besucher', anonymous: 'Ein Aufrufer ohne Token' },
  older: 'Ältere anzeigen',
}

const fr: typeof en = {
  title: 'Audit',
  description: 'Tout ce qui a changé, et qui l’a changé.',
  live: 'En direct',
  liveHint: (count) => (count === 0 ? 'En attente de nouveaux événements …' : `${count} nouveaux depuis l’activation`),
  export: 'Exporter en NDJSON',
  exporting: (count) => `Arrêter (${count.toLocaleString('fr')} événements)`,
  sequence: 'N°',
  when: 'Quand',
  what: 'Ce qui s’est passé',
  editor: 'Par l’utilisateur (ID)',
  aggregate: 'Objet (ID)',
  type: 'Type d’événement',
  kind: 'Type d’objet',
  since: 'De',
  until: 'À',
  editors: { system: 'Le serveur', visitor: 'Un visiteur', anonymous: 'Un appelant sans jeton' },
  older: 'Afficher les plus anciens',
}

export const auditTexts: Texts<typeof en> = { en, de, fr }
