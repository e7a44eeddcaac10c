/** The texts of the first steps with an application, in English. */
import type { Sentences } from '../../../../texts/languages.ts'

export const en = {
  settings: 'Environment variables',
  settingsHint:
    'Save them as .env next to your code, and keep that file out of version control. The download is named app.env: rename it to .env.',
  secretUnknown:
    'Replace YOUR_CLIENT_SECRET with the secret you saved. If you’ve lost it, generate a new one under Credentials.',
  audience: 'Audience',
  audienceUnknown:
    'Replace YOUR_API_ADDRESS with the address of the API. List it in the project, under API: tokens are issued for addresses in that list.',
  download: 'Download .env',
  code: 'Code',
  codeHint: 'A complete small app. Take from it what you need.',
  framework: 'Framework',
  copyPrompt: 'Copy prompt',
  promptCopied: 'Copied',
  promptHint: 'For a coding agent: what to add, with this code. It contains no secret.',
  create: 'New project',
  install: 'Install',
  run: 'Run',
  try: 'Try it',
  trial: {
    hint: 'Runs the sign-in of this app with your own account, and shows what the app would learn about you. The app gets nothing.',
    button: 'Try sign-in',
    waiting: 'Finish signing in in the other window.',
    blocked: 'Your browser blocked the sign-in window. Allow pop-ups for this page and try again.',
    failed: 'The sign-in failed',
    works: 'Sign-in works',
    worksText: '{name} signed in. This is what the app would receive:',
    idToken: 'ID token',
    userinfo: 'Userinfo',
    returnTitle: 'You’re done here',
    returnText: 'Close this window and go back to the console.',
  },
  firstSignIn: {
    waiting: 'Waiting for the first sign-in from your app…',
    done: 'Your app works: {name} signed in.',
  },
  secret: {
    leaveTitle: 'Leave without copying the secret?',
    leaveText: 'It can’t be shown again. You’d have to generate a new one.',
    leave: 'Leave',
    stay: 'Stay',
  },
} as const

export type StartTexts = Sentences<typeof en>
