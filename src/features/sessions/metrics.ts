/** Metrics of sessions: sign-ins by factor and result, lockouts, and how many sessions are open. */
import { type App, perApp } from '../../module/app.ts'
import type { EventCounter, Metric } from '../../module/module.ts'
import { countOpenSessions } from './open-session.ts'

/** The factors that users sign in with, by the names of failed attempts. Other codes prove an address or an invitation. */
const FACTORS: Readonly<Record<string, string>> = {
  password: 'password',
  totp: 'totp',
  otp_sms: 'otp_sms',
  otp_email: 'otp_email',
  recovery_code: 'recovery_code',
  intent: 'identity_provider',
  web_auth_n: 'passkey',
}

const succeeded = (factor: string) => () => [factor, 'succeeded']

function failed(name: unknown): readonly string[] | undefined {
  const factor = FACTORS[String(name)]
  return factor === undefined ? undefined : [factor, 'failed']
}

export const sessionCounters: readonly EventCounter[] = [
  {
    name: 'signet_sign_in_checks_total',
    help: 'Factors checked at sign-in, by factor and result.',
    labels: ['factor', 'result'],
    events: {
      'session.password_checked.v1': succeeded('password'),
      'session.intent_checked.v1': succeeded('identity_provider'),
      'session.web_authn_checked.v1': succeeded('passkey'),
      'session.totp_checked.v1': succeeded('totp'),
      'session.otp_sms_checked.v1': succeeded('otp_sms'),
      'session.otp_email_checked.v1': succeeded('otp_email'),
      'session.recovery_code_checked.v1': succeeded('recovery_code'),
      'session.check_failed.v1': ({ check }) => failed(check),
      'attempts.failed.v1': ({ path }) => failed(path),
    },
  },
  {
    name: 'signet_lockouts_total',
    help: 'Factors of users that were locked after too many failed attempts.',
    labels: ['factor'],
    events: { 'attempts.factor_locked.v1': ({ factor }) => [String(factor)] },
  },
  {
    name: 'signet_sessions_total',
    help: 'Sessions created and ended; those that expire are not noticed at once and not counted.',
    labels: ['event'],
    events: { 'session.created.v1': () => ['created'], 'session.ended.v1': () => ['ended'] },
  },
]

/** Counting a million sessions takes the database a while, so that is done once a minute at most. */
const KEPT_MS = 60_000

const countOpen = perApp(({ store, clock }: App) => {
  let counted = { at: Number.NEGATIVE_INFINITY, total: Promise.resolve(0) }
  return () => {
    const now = clock()
    if (now - counted.at >= KEPT_MS) {
      const total = countOpenSessions(store, now)
      counted = { at: now, total }
      total.catch(() => {
        counted = { at: Number.NEGATIVE_INFINITY, total }
      })
    }
    return counted.total
  }
})

export function sessionMetrics(app: App): readonly Metric[] {
  return [
    {
      name: 'signet_sessions',
      help: 'Open sessions, counted once a minute at most.',
      type: 'gauge',
      merge: 'max',
      read: countOpen(app),
    },
  ]
}
