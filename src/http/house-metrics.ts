/** What the house counts beside its requests: work that waits, mail and text messages, passwords. */
import type { Passwords } from '../crypto/passwords/index.ts'
import { countMails, type MailCounts } from '../features/mail/index.ts'
import { countSms, type SmsCounts } from '../features/sms/index.ts'
import type { Store } from '../store/index.ts'
import type { Registry } from './metrics.ts'

export interface MeasuredHouse {
  readonly store: Store
  readonly library: Pick<Passwords, 'readLoad'>
  /** Undefined until they are open. */
  readonly rooms: () =>
    | { readonly mail: { readonly counts: MailCounts }; readonly sms: { readonly counts: SmsCounts } }
    | undefined
}

/** Adds the metrics of the house to those of the process. */
export function addHouseMetrics(registry: Registry, { store, library, rooms }: MeasuredHouse): void {
  // Counted in the database that all processes share, hence not summed up.
  const shared = { type: 'gauge', merge: 'max', label: 'state' } as const
  const tries = { type: 'counter', merge: 'sum', label: 'outcome' } as const
  registry.gauge('signet_jobs_waiting', 'Jobs waiting to run.', async () => (await store.jobs.count()).waiting, 'max')
  registry.gauge(
    'signet_jobs_parked',
    'Jobs that failed permanently.',
    async () => (await store.jobs.count()).parked,
    'max',
  )
  registry.group('signet_mails', 'Emails waiting to be sent, and emails that failed permanently.', shared, () =>
    countMails(store),
  )
  registry.group('signet_mail_tries_total', 'Attempts to deliver an email, by outcome.', tries, () => ({
    ...rooms()?.mail.counts,
  }))
  registry.group(
    'signet_text_messages',
    'Text messages waiting to be sent, and text messages that failed permanently.',
    shared,
    () => countSms(store),
  )
  registry.group('signet_text_message_tries_total', 'Attempts to send a text message, by outcome.', tries, () => ({
    ...rooms()?.sms.counts,
  }))
  const load = { type: 'gauge', merge: 'sum', label: 'state' } as const
  registry.group(
    'signet_password_tasks',
    'Passwords being hashed or checked, and passwords in the queue.',
    load,
    () => {
      const { running, waiting } = library.readLoad()
      return { running, waiting }
    },
  )
  registry.group('signet_password_tasks_total', 'Passwords hashed, checked or rejected.', tries, () => {
    const { finished, refused } = library.readLoad()
    return { finished, refused }
  })
}
