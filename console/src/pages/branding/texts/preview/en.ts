/** What is said about the drawing of the sign-in page; the texts on it are those of the page itself, in English. */

export const en = {
  label: 'Preview of the sign-in page',
  nothing: 'There is no way to sign in.',
} as const
