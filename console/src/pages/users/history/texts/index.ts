/** The texts of the history of a user. */
import type { Texts } from '../../../../texts/languages.ts'

const en = {
  tab: 'History',
  title: 'History',
  hint: 'What the log says, the newest first.',
  about: 'About the user',
  by: 'By the user',
  empty: 'There is nothing in the log.',
  older: 'Show older',
  toAudit: 'Open in the audit',
  byEditor: (name: string) => `by ${name}`,
}

const de: typeof en = {
  tab: 'Verlauf',
  title: 'Verlauf',
  hint: 'Was das Protokoll sagt, das Neueste zuerst.',
  about: 'Über den Benutzer',
  by: 'Vom Benutzer',
  empty: 'Das Protokoll sagt nichts.',
  older: 'Ältere anzeigen',
  toAudit: 'Im Audit öffnen',
  byEditor: (name) => `von ${name}`,
}

const fr: typeof en = {
  tab: 'Historique',
  title: 'Historique',
  hint: 'Ce que dit le journal, du plus récent au plus ancien.',
  about: 'Sur l’utilisateur',
  by: 'Par l’utilisateur',
  empty: 'Le journal ne dit rien.',
  older: 'Afficher les plus anciens',
  toAudit: 'Ouvrir dans l’audit',
  byEditor: (name) => `par ${name}`,
}

export const historyTexts: Texts<typeof en> = { en, de, fr }
