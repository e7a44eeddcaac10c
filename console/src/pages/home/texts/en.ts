/** The texts of the first page, in English. */

export const en = {
  title: 'Home',
  welcome: (name: string) => `Welcome, ${name}`,
  server: 'Server',
  version: 'Version',
  address: 'Address of this server',
  healthy: 'Ready',
  unhealthy: 'Not ready',
  users: 'Users',
  sessions: 'Sessions',
  signIns: 'Sign-ins',
  failures: 'Failures',
  mailsWaiting: 'Mail waiting',
  mailsFailed: 'Mail failed',
  chartTitle: 'Sign-ins of the last 24 hours',
  chartEmpty: 'There were no sign-ins.',
  countedSince: 'There are more sign-ins than are counted. Complete since:',
  hour: 'Hour',
  checklist: {
    title: 'Before people depend on it',
    allDone: 'Everything is set up.',
    open: (count: number) => (count === 1 ? '1 step is open.' : `${count} steps are open.`),
    done: 'Done:',
    notDone: 'Open:',
    mail: { label: 'Mail server', hint: 'Without one, no email leaves this server.' },
    address: {
      label: 'Public address',
      hint: 'Only this machine reaches the address. Set SIGNET_EXTERNAL_URL to the public one.',
    },
    administrator: {
      label: 'Second administrator',
      hint: 'If the only one loses their passkey, the console is closed to all.',
    },
    passkey: { label: 'Your passkey', hint: 'Protects your account better than a password.' },
  },
}

export type HomeTexts = typeof en
