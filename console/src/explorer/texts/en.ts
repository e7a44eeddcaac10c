/** The texts of the line above the explorer, in English. */

export const en = {
  title: 'Signet API',
  service: 'Service',
  signIn: 'Sign in',
  signedIn: 'Requests are sent with your token.',
  signedOut: 'Sign in, or enter a token under “Authentication”.',
  failed: 'The sign-in did not work:',
  console: 'Console',
  documentation: 'Documentation',
} as const
