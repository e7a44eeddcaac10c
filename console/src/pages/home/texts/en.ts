/** The texts of the first page, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'Home',
  welcome: 'Welcome, {name}',
  protect: {
    title: 'Protect your app',
    hint: 'Add sign-in to an app in three steps: choose a framework, name the app, copy the code.',
    button: 'Protect an app',
  },
  server: 'Server',
  version: 'Version',
  address: 'Server address',
  healthy: 'Ready',
  unhealthy: 'Not ready',
  users: 'Users',
  sessions: 'Sessions now',
  mailsWaiting: 'Mail waiting now',
  mailsFailed: 'Mail that failed',
  standing: {
    title: 'Administrator tokens that never expire',
    hint: 'Whoever has such a token can do everything here, until it is renewed or removed. The first start wrote one to admin.pat.',
    user: 'User',
    created: 'Created',
    used: 'Last used',
    notUsed: 'Not yet',
    open: 'Renew or remove',
  },
  checklist: {
    title: 'Before you go live',
    allDone: 'You’re all set.',
    open: '{count, plural, one {{count} step left} other {{count} steps left}}',
    done: 'Done:',
    notDone: 'To do:',
    mail: { label: 'Mail server', hint: 'Until you add one, no email is sent.' },
    address: {
      label: 'Public address',
      hint: 'Only this machine can reach the current address. Set SIGNET_EXTERNAL_URL to your public one.',
    },
    administrator: {
      label: 'Second administrator',
      hint: 'If the only administrator loses access, nobody can open the console.',
    },
    passkey: { label: 'Your passkey', hint: 'Protects your account better than a password.' },
  },
} as const

export type HomeTexts = Sentences<typeof en>
