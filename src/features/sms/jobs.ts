/**
 * Sending, after the commit, with the pauses of mail. A message reaches the webhook at least once: after a crash, or an
 * answer that was lost, it comes again with the same `messageId`, by which the receiver knows it.
 */
import { SealBroken } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import { GivenUp, type Job, type JobHandlers, type Store } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import { mailPause } from '../mail/index.ts'
import type { SmsCounts } from './counts.ts'
import { findActiveSmsProvider, smsProviders } from './documents.ts'
import { codePlace, SMS_JOB, type SmsJobData } from './queue.ts'
import { smsRefusals } from './refusals.ts'
import { smsText } from './texts.ts'
import { type PostWebhook, WebhookRejected } from './webhook.ts'

export interface SmsJobNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly post: PostWebhook
  readonly counts: SmsCounts
  /** The language of an organization's users who prefer none; not given: English. */
  readonly defaultLanguage?: (organizationId: string) => Promise<string>
}

/** Where the key of a webhook is sealed. */
export function signingKeyPlace(id: string) {
  return { kind: smsProviders.name, id, member: 'signingKey' } as const
}

export function smsJobs({ store, vault, clock, post, counts, defaultLanguage }: SmsJobNeeds): JobHandlers {
  const readCode = async (job: Job, { secret }: SmsJobData): Promise<string> => {
    try {
      return (JSON.parse(await vault.open(codePlace(job.id), secret.values)) as { code: string }).code
    } catch (error) {
      if (error instanceof SealBroken) throw new GivenUp('What the message says can no longer be opened.')
      throw error
    }
  }

  const deliver = async (job: Job): Promise<void> => {
    const data = job.data as SmsJobData
    const code = await readCode(job, data)
    const provider = await findActiveSmsProvider(store)
    // It was there when the message was asked for; somebody may be about to activate another.
    if (provider === undefined) throw new Error(smsRefusals['sms.no_provider'][1])
    const fallback = (await defaultLanguage?.(data.organizationId)) ?? 'en'
    const body = JSON.stringify({
      contextInfo: {
        messageId: job.id,
        eventType: data.type,
        recipientPhoneNumber: data.to,
        userId: data.userId,
        organizationId: data.organizationId,
        provider: { id: provider.id, description: provider.state.description },
      },
      templateData: { text: smsText(data.type, code, data.language, fallback) },
      args: { code },
    })
    const signingKey = await vault.open(signingKeyPlace(provider.id), provider.state.secret.signingKey)
    await post({ endpoint: provider.state.endpoint, signingKey, at: clock(), body }, job.signal)
  }

  return {
    async [SMS_JOB](job) {
      try {
        await deliver(job)
        counts.sent++
      } catch (error) {
        const isFinal = error instanceof WebhookRejected || error instanceof GivenUp
        if (isFinal || mailPause(job.attempts + 1) === undefined) counts.parked++
        else counts.delayed++
        throw error instanceof WebhookRejected ? new GivenUp(error.message) : error
      }
    },
  }
}
