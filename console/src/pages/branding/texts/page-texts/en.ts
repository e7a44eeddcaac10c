/** The texts of the page on which the texts of the hosted pages are changed, in English. */

export const en = {
  title: 'Page texts',
  language: 'Language',
  area: 'Pages',
  areas: {
    signIn: 'Sign-in',
    accounts: 'Choose or confirm an account',
    secondFactor: 'Two-step verification',
    registration: 'Registration',
    password: 'Passwords',
    invitation: 'Invitation and email address',
    passkey: 'Passkeys',
    consent: 'Consent',
    signedOut: 'Signed out and start page',
  },
  parts: { heading: 'Heading', text: 'Text', label: 'Field', button: 'Button' },
  hint: 'Leave a field empty to use the text that it shows. Changes appear as soon as you save them.',
  keep: 'Keep {places}',
  preview: 'Preview',
  previewHint: 'The pages with your current entries, even if they aren’t saved.',
  reset: 'Reset all texts',
  resetQuestion: 'Reset all texts in this language?',
  resetConsequence: 'The texts of all pages in this language are removed here. The usual texts apply again.',
  resetDone: 'Texts reset.',
} as const
