/**
 * Sends text messages after the commit, with the same pauses as emails. A message reaches the provider at least once:
 * after a crash or a lost response it is sent again with the same `messageId`, by which a webhook recognizes it.
 */

import { SealBroken } from '../../crypto/seal.ts'
import { fillPlaces } from '../../kernel/placeholders.ts'
import { type App, perApp } from '../../module/app.ts'
import type { JobGroup, Metric } from '../../module/module.ts'
import { type Document, GivenUp, type Job } from '../../store/index.ts'
import { customSmsText, deliverToInbox, MessageRejected, mailPause, postToWebhook } from '../mail/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import type { SmsWebhook } from './decider.ts'
import { findActiveSmsProvider, signingKeyPlace, tokenPlace } from './documents.ts'
import { codePlace, SMS_CONCURRENCY, SMS_JOB, type SmsJobData } from './queue.ts'
import { CUSTOM_TEXTS, smsLanguage, smsText } from './texts.ts'
import { sendThroughTwilio } from './twilio.ts'

/** The results of text messages in this process since its start: accepted by the provider, to be retried, given up. */
export const smsCounts = perApp(() => ({ sent: 0, delayed: 0, parked: 0 }))

async function readCode({ vault }: App, job: Job, { secret }: SmsJobData): Promise<string> {
  try {
    return (JSON.parse(await vault.open(codePlace(job.id), secret.values)) as { code: string }).code
  } catch (error) {
    if (error instanceof SealBroken) throw new GivenUp('What the message says can no longer be opened.')
    throw error
  }
}

async function textOf(app: App, data: SmsJobData, code: string, defaultLanguage: string): Promise<string> {
  const type = CUSTOM_TEXTS[data.type]
  const custom = type && (await customSmsText(app, data, type, smsLanguage(data.language, defaultLanguage)))
  if (custom === undefined) return smsText(data.type, code, data.language, defaultLanguage)
  return fillPlaces(custom, { Code: code, Domain: new URL(app.externalUrl).host })
}

/** What a webhook gets. */
function webhookBody(job: Job, { id, state }: Document<SmsWebhook>, text: string, code: string): string {
  const { type, to, userId, organizationId } = job.data as SmsJobData
  return JSON.stringify({
    contextInfo: {
      messageId: job.id,
      eventType: type,
      recipientPhoneNumber: to,
      userId,
      organizationId,
      provider: { id, description: state.description },
    },
    templateData: { text },
    args: { code },
  })
}

async function deliver(app: App, job: Job): Promise<void> {
  const data = job.data as SmsJobData
  const code = await readCode(app, job, data)
  const provider = await findActiveSmsProvider(app)
  const { defaultLanguage } = await effectiveSettings(app, data.organizationId)
  const text = await textOf(app, data, code, defaultLanguage)
  if (provider === undefined) {
    await deliverToInbox(app, { id: job.id, to: data.to, type: data.type }, { subject: text, text, html: '' })
    return
  }
  const { id, state } = provider
  if (state.type === 'twilio') {
    const token = await app.vault.open(tokenPlace(id), state.secret.token)
    await sendThroughTwilio(app, { ...state, token }, { to: data.to, text, code }, job.signal)
    return
  }
  const body = webhookBody(job, provider as Document<SmsWebhook>, text, code)
  const signingKey = await app.vault.open(signingKeyPlace(id), state.secret.signingKey)
  await postToWebhook(app, { endpoint: state.endpoint, signingKey, body, signal: job.signal })
}

/** The jobs of this module, with the same pauses as emails. */
export function smsJobs(app: App): JobGroup {
  return {
    options: { pauseAfter: mailPause, concurrency: SMS_CONCURRENCY },
    handlers: {
      async [SMS_JOB](job) {
        const counts = smsCounts(app)
        try {
          await deliver(app, job)
          counts.sent++
        } catch (error) {
          const isFinal = error instanceof MessageRejected || error instanceof GivenUp
          if (isFinal || mailPause(job.attempts + 1) === undefined) counts.parked++
          else counts.delayed++
          throw error instanceof MessageRejected ? new GivenUp(error.message) : error
        }
      },
    },
  }
}

/** The metrics of this module. */
export function smsMetrics(app: App): readonly Metric[] {
  return [
    {
      name: 'signet_text_messages',
      help: 'Text messages waiting to be sent, and text messages that failed permanently.',
      type: 'gauge',
      merge: 'max',
      label: 'state',
      read: () => app.store.jobs.count(SMS_JOB),
    },
    {
      name: 'signet_text_message_tries_total',
      help: 'Attempts to send a text message, by outcome.',
      type: 'counter',
      merge: 'sum',
      label: 'outcome',
      read: () => ({ ...smsCounts(app) }),
    },
  ]
}
