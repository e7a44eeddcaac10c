/** The texts of the question whether unsaved changes may be lost, in English. */

export const en = {
  title: 'Discard unsaved changes?',
  text: 'You’ll lose what you changed on this page.',
  stay: 'Keep editing',
  leave: 'Discard',
} as const
