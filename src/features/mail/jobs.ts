/**
 * Sends emails after the commit. An email is retried until the server accepts it or rejects it permanently. After three
 * days it is parked; parked emails are listed and can be sent again. An email is never lost. It is sent once, unless a
 * process dies or a connection breaks after the server accepted it and before we knew. Then it is sent again with the
 * same Message-ID, by which mail programs recognize it. The inbox receives each email exactly once.
 */

import { SealBroken } from '../../crypto/seal.ts'
import { languageOf } from '../../kernel/languages.ts'
import { type App, perApp } from '../../module/app.ts'
import type { JobGroup, Metric } from '../../module/module.ts'
import { type Document, GivenUp, type Job } from '../../store/index.ts'
import { brandForUser, effectiveSettings } from '../settings/index.ts'
import type { EmailWebhook, SetSmtpConfig } from './decisions/smtp-config.ts'
import { MailDelayed, MailRejected } from './delivery-failure.ts'
import { findActiveProvider, signingKeyPlace } from './documents.ts'
import { deliverToInbox } from './inbox.ts'
import type { MailLook } from './layout.ts'
import { customParts } from './message-texts.ts'
import type { CustomParts } from './message-types.ts'
import { writePage } from './page/write-page.ts'
import { MAIL_JOB, type MailJobData, valuesPlace } from './queue.ts'
import { fillMail, type MailContent, type MailValues, renderMail } from './render.ts'
import { serverOf } from './smtp-server.ts'
import { sendMail } from './transport.ts'
import { MessageRejected, postToWebhook } from './webhook.ts'
import { webhookBody } from './webhook-body.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Tries in the first hour, at most one each minute, so that a short outage delays an email only a little. */
const TRIES_IN_THE_FIRST_HOUR = 62
const MOST_TRIES = 138

/** 10 s, 20 s, 40 s, then each minute for an hour, then doubling up to an hour; three days in total. */
export function mailPause(attempts: number): number | undefined {
  if (attempts >= MOST_TRIES) return undefined
  if (attempts <= TRIES_IN_THE_FIRST_HOUR) return Math.min(10 * SECOND * 2 ** (attempts - 1), MINUTE)
  return Math.min(MINUTE * 2 ** (attempts - TRIES_IN_THE_FIRST_HOUR), HOUR)
}

/** How many emails one process sends at the same time. */
export const MAIL_CONCURRENCY = 8

/**
 * The results of emails in this process since its start: accepted by the server, put into the inbox, to be retried,
 * given up.
 */
export const mailCounts = perApp(() => ({ sent: 0, inbox: 0, delayed: 0, parked: 0 }))

/** An SMTP server that does not work now. `server` contains its ID and the revision of its settings. */
interface Outage {
  readonly server: string
  readonly reason: string
  readonly until: number
}

/**
 * Remembers an outage of the SMTP server for a few seconds, so that a thousand waiting emails do not all connect to it.
 * One of them does, and the others are delayed for the same reason.
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

/** Mails have no dark logo: programs that cannot choose would show both. */
async function lookFor(app: App, data: MailJobData, name: string): Promise<MailLook> {
  const { light, dark, files } = await brandForUser(app, data)
  const path = files.logo ?? files.logoDark
  return { light, dark, logo: path === undefined ? undefined : { url: new URL(path, app.externalUrl).href, alt: name } }
}

/** A custom page is sent as it is written out, not as it was set. */
async function withWrittenPage(parts: CustomParts): Promise<CustomParts> {
  const { html: page, ...others } = parts
  const html = page === undefined ? '' : (await writePage(page)).html
  return html === '' ? others : { ...others, html }
}

/** What an email says, and how it looks. */
interface ReadyMail {
  readonly content: MailContent
  readonly look: MailLook
}

/** Read when it is sent, not when it is enqueued, so that a corrected text also applies to waiting emails. */
async function readMail(app: App, data: MailJobData, values: MailValues): Promise<ReadyMail> {
  const { type, organizationId, userId } = data
  const preferred = languageOf(data.language)
  const language = preferred ?? languageOf((await effectiveSettings(app, organizationId)).defaultLanguage) ?? 'en'
  // A text could lead its reader, and the code with them, to a page of the administrator who set it: its reach counts.
  const owners = [organizationId, app.instanceId]
  const set = (await customParts(app, owners, { type, language, userId })).filter((parts) => parts !== undefined)
  const custom = await Promise.all(set.map(withWrittenPage))
  const look = await lookFor(app, data, values.organizationName ?? '')
  return { content: { type, language, custom, values }, look }
}

function rendered({ content: { type, language, custom, values }, look }: ReadyMail) {
  return renderMail(type, language, custom, values, look)
}

async function sendBySmtp(app: App, config: Document<SetSmtpConfig>, job: Job, mail: ReadyMail): Promise<void> {
  const { values } = mail.content
  const outgoing = {
    ...rendered(mail),
    id: job.id,
    from: { name: config.state.senderName, address: config.state.senderAddress },
    replyTo: config.state.replyToAddress,
    to: { name: values.displayName, address: (job.data as MailJobData).to },
    date: app.clock(),
    secrets: [values.link ?? '', values.code ?? ''],
  }
  await sendMail(app, await serverOf(app, config), outgoing, job.signal)
}

async function sendByWebhook(app: App, provider: Document<EmailWebhook>, job: Job, mail: ReadyMail): Promise<void> {
  const { endpoint, secret } = provider.state
  const { content, look } = mail
  const { filled } = fillMail(content)
  const about = { messageId: job.id, job: job.data as MailJobData, values: content.values, origin: app.externalUrl }
  const body = webhookBody({ ...about, filled, look, provider })
  const signingKey = await app.vault.open(signingKeyPlace(provider.id), secret.signingKey)
  await postToWebhook(app, { endpoint, signingKey, body, signal: job.signal }).catch((error: Error) => {
    if (error instanceof MessageRejected) throw new MailRejected(error.message)
    throw new MailDelayed(error.message, 'server')
  })
}

type Provider = Document<SetSmtpConfig> | Document<EmailWebhook>

function isWebhookProvider(provider: Provider): provider is Document<EmailWebhook> {
  return provider.state.type === 'http'
}

async function sendThrough(app: App, provider: Provider, job: Job, mail: ReadyMail): Promise<void> {
  const outage = outageOf(app)
  const server = `${provider.id}/${provider.revision}`
  if (outage.known?.server === server && app.clock() < outage.known.until) {
    throw new MailDelayed(outage.known.reason, 'mail')
  }
  try {
    if (isWebhookProvider(provider)) await sendByWebhook(app, provider, job, mail)
    else await sendBySmtp(app, provider, job, mail)
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
  const mail = await readMail(app, data, await readValues(app, job, data))
  const provider = await findActiveProvider(app)
  if (provider === undefined) {
    await deliverToInbox(app, { id: job.id, to: data.to, type: data.type }, rendered(mail))
    mailCounts(app).inbox++
    return
  }
  await sendThrough(app, provider, job, mail)
  mailCounts(app).sent++
}

/** The jobs of this module, with their own pauses. */
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

/** The metrics of this module. */
export function mailMetrics(app: App): readonly Metric[] {
  return [
    {
      name: 'signet_mails',
      help: 'Emails waiting to be sent, and emails that failed permanently.',
      type: 'gauge',
      merge: 'max',
      label: 'state',
      read: () => app.store.jobs.count(MAIL_JOB),
    },
    {
      name: 'signet_mail_tries_total',
      help: 'Attempts to deliver an email, by outcome.',
      type: 'counter',
      merge: 'sum',
      label: 'outcome',
      read: () => ({ ...mailCounts(app) }),
    },
  ]
}
