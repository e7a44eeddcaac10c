/** What the app counts beside its requests: jobs that wait, mail and text messages, passwords. */
import type { Passwords } from '../../crypto/passwords/index.ts'
import { countMails, type MailCounts } from '../../features/mail/index.ts'
import { countSms, type SmsCounts } from '../../features/sms/index.ts'
import type { Store } from '../../store/index.ts'
import type { Registry } from './metrics.ts'

export interface AppMetricsOptions {
  readonly store: Store
  readonly library: Pick<Passwords, 'readLoad'>
  /** Undefined until they are open. */
  readonly modules: () =>
    | { readonly mail: { readonly counts: MailCounts }; readonly sms: { readonly counts: SmsCounts } }
    | undefined
}

/** Adds the metrics of the app to those of the process. */
export function addAppMetrics(registry: Registry, { store, library, modules }: AppMetricsOptions): void {
  // Counted in the database that all processes share, hence not summed up.
  const shared = { type: 'gauge', merge: 'max', label: 'state' } as const
  const tries = { type: 'counter', merge: 'sum', label: 'outcome' } as const
  registry.gauge(
    'signet_jobs_waiting',
    'Jobs that wait for their turn.',
    async () => (await store.jobs.count()).waiting,
    'max',
  )
  registry.gauge(
    'signet_jobs_parked',
    'Jobs that failed for good.',
    async () => (await store.jobs.count()).parked,
    'max',
  )
  registry.group('signet_mails', 'Mails that wait for their turn, and those that were given up.', shared, () =>
    countMails(store),
  )
  registry.group('signet_mail_tries_total', 'Tries to deliver a mail, by what became of it.', tries, () => ({
    ...modules()?.mail.counts,
  }))
  registry.group(
    'signet_text_messages',
    'Text messages that wait for their turn, and those that were given up.',
    shared,
    () => countSms(store),
  )
  registry.group(
    'signet_text_message_tries_total',
    'Tries to post a text message, by what became of it.',
    tries,
    () => ({ ...modules()?.sms.counts }),
  )
  const load = { type: 'gauge', merge: 'sum', label: 'state' } as const
  registry.group('signet_password_tasks', 'Passwords being hashed or checked, and those in the queue.', load, () => {
    const { running, waiting } = library.readLoad()
    return { running, waiting }
  })
  registry.group('signet_password_tasks_total', 'Passwords hashed or checked, and turned away.', tries, () => {
    const { finished, refused } = library.readLoad()
    return { finished, refused }
  })
}
