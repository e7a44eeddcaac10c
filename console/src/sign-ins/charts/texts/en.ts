/** The texts of the charts of sign-ins, in English. */

export const en = {
  title: 'Sign-ins',
  period: 'Period',
  days: '{count} days',
  ofPeriod: '{label}, last {count} days',
  day: 'Day',
  succeeded: 'Sign-ins',
  failed: 'Failures',
  passkeyShare: 'Passkey share',
  outcomes: 'Sign-ins and failures by day',
  byMethod: 'Sign-ins by method',
  byApplication: 'By application',
  byApplicationHint: 'Sign-ins and failures together. At most 10 applications.',
  application: 'Application',
  otherApplication: 'Another application',
  passkeys: 'Passkey adoption',
  passkeysHint: 'The share of sign-ins with a passkey.',
  share: 'Share with a passkey',
  empty: 'No sign-ins in this period.',
} as const
