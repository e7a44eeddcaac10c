/** The texts of the history of a user, in English. */

export const en = {
  tab: 'History',
  title: 'History',
  hint: 'What the log says, the newest first.',
  about: 'About the user',
  by: 'By the user',
  empty: 'There is nothing in the log.',
  older: 'Show older',
  toAudit: 'Open in the audit',
  byEditor: 'by {name}',
} as const
