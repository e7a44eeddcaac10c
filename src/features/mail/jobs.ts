/**
 * Sending, after the commit. A mail is tried until the server has taken it or rejected it for good; after three days it
 * is parked, is listed, and can be sent again. What is guaranteed: a mail is never lost, and it is sent once, unless a
 * process dies or a connection breaks after the server took the mail and before we knew. Then it is sent again, with the
 * same Message-ID, by which mail programs recognize it. The inbox gets each mail once in any case.
 */
import { type App, perApp } from '../../access/app.ts'
import type { JobGroup, Metric } from '../../access/module.ts'
import { SealBroken } from '../../crypto/seal.ts'
import { type Document, GivenUp, type Job } from '../../store/index.ts'
import { isAboveOrganization } from '../memberships/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { MailDelayed, MailRejected } from './delivery-failure.ts'
import { findSmtpConfig } from './documents.ts'
import { deliverToInbox } from './inbox.ts'
import { customParts } from './message-texts.ts'
import { mailLanguageOf } from './message-types.ts'
import { MAIL_JOB, type MailJobData, valuesPlace } from './queue.ts'
import { type MailValues, type RenderedMail, renderMail } from './render.ts'
import { serverOf } from './smtp-server.ts'
import { sendMail } from './transport.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How often a mail is tried at most every minute: for the first hour, so that a short outage costs no more. */
const TRIES_IN_THE_FIRST_HOUR = 62
const MOST_TRIES = 138

/** 10 s, 20 s, 40 s, then each minute for an hour, then doubling up to an hour; three days in all. */
export function mailPause(attempts: number): number | undefined {
  if (attempts >= MOST_TRIES) return undefined
  if (attempts <= TRIES_IN_THE_FIRST_HOUR) return Math.min(10 * SECOND * 2 ** (attempts - 1), MINUTE)
  return Math.min(MINUTE * 2 ** (attempts - TRIES_IN_THE_FIRST_HOUR), HOUR)
}

/** How many mails one process sends at once. */
export const MAIL_CONCURRENCY = 8

/** What became of mails in this process since it started: taken by the server, put into the inbox, to be repeated, given up. */
export const mailCounts = perApp(() => ({ sent: 0, inbox: 0, delayed: 0, parked: 0 }))

/** A mail server that does not work now; `server` names it and the revision of its settings. */
interface Outage {
  readonly server: string
  readonly reason: string
  readonly until: number
}

/**
 * Remembers for a few seconds that the mail server does not work, so that a thousand waiting mails do not all connect to
 * it: one of them does, and the others are delayed with its reason.
 */
const outageOf = perApp((): { known: Outage | undefined } => ({ known: undefined }))
const OUTAGE_MILLISECONDS = 5 * SECOND

async function readValues({ vault }: App, job: Job, { secret }: MailJobData): Promise<MailValues> {
  try {
    return JSON.parse(await vault.open(valuesPlace(job.id), secret.values)) as MailValues
  } catch (error) {
    if (error instanceof SealBroken) throw new GivenUp('What the mail says can no longer be opened.')
    throw error
  }
}

/** Rendered when it is sent, not when it was enqueued: a corrected text also applies to the mails that wait. */
async function render(app: App, data: MailJobData, values: MailValues): Promise<RenderedMail> {
  const { type, organizationId, userId } = data
  const preferred = mailLanguageOf(data.language)
  const language = preferred ?? mailLanguageOf((await effectiveSettings(app, organizationId)).defaultLanguage) ?? 'en'
  // A text of the organization could lead its reader, and the code with them, to a page of whoever set it.
  const isAbove = await isAboveOrganization(app, organizationId, userId)
  const owners = isAbove ? [app.instanceId] : [organizationId, app.instanceId]
  const custom = await customParts(app, owners, type, language)
  return renderMail(
    type,
    language,
    custom.filter((parts) => parts !== undefined),
    values,
  )
}

async function sendThrough(
  app: App,
  config: Document<SetSmtpConfig>,
  job: Job,
  mail: RenderedMail,
  values: MailValues,
): Promise<void> {
  const outage = outageOf(app)
  const server = `${config.id}/${config.revision}`
  if (outage.known?.server === server && app.clock() < outage.known.until) {
    throw new MailDelayed(outage.known.reason, 'mail')
  }
  try {
    const outgoing = {
      ...mail,
      id: job.id,
      from: { name: config.state.senderName, address: config.state.senderAddress },
      replyTo: config.state.replyToAddress,
      to: { name: values.displayName, address: (job.data as MailJobData).to },
      date: app.clock(),
      secrets: [values.link ?? '', values.code ?? ''],
    }
    await sendMail(app, await serverOf(app, config), outgoing, job.signal)
    outage.known = undefined
  } catch (error) {
    if (error instanceof MailDelayed && error.trouble === 'server') {
      outage.known = { server, reason: error.message, until: app.clock() + OUTAGE_MILLISECONDS }
    }
    throw error
  }
}

async function deliver(app: App, job: Job): Promise<void> {
  const data = job.data as MailJobData
  const values = await readValues(app, job, data)
  const mail = await render(app, data, values)
  const config = await findSmtpConfig(app)
  if (config?.state.status !== 'active') {
    await deliverToInbox(app, { id: job.id, to: data.to, type: data.type }, mail)
    mailCounts(app).inbox++
    return
  }
  await sendThrough(app, config, job, mail, values)
  mailCounts(app).sent++
}

/** The jobs of this module, with pauses of their own. */
export function mailJobs(app: App): JobGroup {
  return {
    options: { pauseAfter: mailPause, concurrency: MAIL_CONCURRENCY },
    handlers: {
      async [MAIL_JOB](job) {
        try {
          await deliver(app, job)
        } catch (error) {
          const isFinal = error instanceof MailRejected || error instanceof GivenUp
          if (isFinal || mailPause(job.attempts + 1) === undefined) mailCounts(app).parked++
          else mailCounts(app).delayed++
          throw error instanceof MailRejected ? new GivenUp(error.message) : error
        }
      },
    },
  }
}

/** The numbers of this module for monitoring. */
export function mailMetrics(app: App): readonly Metric[] {
  return [
    {
      name: 'signet_mails',
      help: 'Mails that wait for their turn, and those that were given up.',
      type: 'gauge',
      merge: 'max',
      label: 'state',
      read: () => app.store.jobs.count(MAIL_JOB),
    },
    {
      name: 'signet_mail_tries_total',
      help: 'Tries to deliver a mail, by what became of it.',
      type: 'counter',
      merge: 'sum',
      label: 'outcome',
      read: () => ({ ...mailCounts(app) }),
    },
  ]
}
