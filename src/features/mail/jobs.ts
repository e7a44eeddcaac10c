/**
 * Sending, after the commit. A mail is tried until the server has taken it or said no for good; after three days it is
 * parked, visible, and can be sent again. What is guaranteed: a mail is never lost, and it is sent once, unless a process
 * dies or a connection breaks after the server took the mail and before we knew. Then it is sent again, with the same
 * Message-ID, by which mail programs know it for the same mail. The inbox gets each mail once in any case.
 */
import { SealBroken } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import { type Document, GivenUp, type Job, type JobHandlers, type Store } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { MailCounts } from './counts.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { MailDelayed, MailRejected } from './delivery-failure.ts'
import { findSmtpConfig } from './documents.ts'
import type { Inbox } from './inbox.ts'
import { customParts } from './message-texts.ts'
import { mailLanguageOf } from './message-types.ts'
import { openOutage } from './outage.ts'
import { MAIL_JOB, type MailJobData, valuesPlace } from './queue.ts'
import { type MailValues, type RenderedMail, renderMail } from './render.ts'
import { serverOf } from './smtp-server-of.ts'
import type { SendMail } from './transport.ts'

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

export interface MailJobNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly instanceId: string
  readonly inbox: Inbox
  readonly send: SendMail
  readonly counts: MailCounts
  /** The language of an organization's users who prefer none; default: English. */
  readonly defaultLanguage?: (organizationId: string) => Promise<string>
}

export function mailJobs(needs: MailJobNeeds): JobHandlers {
  const { store, vault, clock, inbox, send, counts } = needs
  const outage = openOutage(clock)

  const readValues = async (job: Job, { secret }: MailJobData): Promise<MailValues> => {
    try {
      return JSON.parse(await vault.open(valuesPlace(job.id), secret.values)) as MailValues
    } catch (error) {
      if (error instanceof SealBroken) throw new GivenUp('What the mail says can no longer be opened.')
      throw error
    }
  }

  /** When it is sent, not when it was asked for: a text that was put right also helps the mails that wait. */
  const render = async (data: MailJobData, values: MailValues): Promise<RenderedMail> => {
    const { type, organizationId } = data
    const preferred = mailLanguageOf(data.language)
    const language = preferred ?? mailLanguageOf((await needs.defaultLanguage?.(organizationId)) ?? 'en') ?? 'en'
    const custom = await customParts(store, [organizationId, needs.instanceId], type, language)
    return renderMail(
      type,
      language,
      custom.filter((parts) => parts !== undefined),
      values,
    )
  }

  const sendThrough = async (
    config: Document<SetSmtpConfig>,
    job: Job,
    data: MailJobData,
    mail: RenderedMail,
    values: MailValues,
  ): Promise<void> => {
    const settings = `${config.id}/${config.revision}`
    const known = outage.reason(settings)
    if (known !== undefined) throw new MailDelayed(known, 'mail')
    try {
      const outgoing = {
        ...mail,
        id: job.id,
        from: { name: config.state.senderName, address: config.state.senderAddress },
        replyTo: config.state.replyToAddress,
        to: { name: values.displayName, address: data.to },
        date: clock(),
        secrets: [values.link ?? '', values.code ?? ''],
      }
      await send(await serverOf(vault, config), outgoing, job.signal)
      outage.ended()
    } catch (error) {
      if (error instanceof MailDelayed && error.trouble === 'server') outage.began(settings, error.message)
      throw error
    }
  }

  const deliver = async (job: Job): Promise<void> => {
    const data = job.data as MailJobData
    const values = await readValues(job, data)
    const mail = await render(data, values)
    const config = await findSmtpConfig(store)
    if (config?.state.status !== 'active') {
      await inbox.deliver(job.id, data.to, data.type, mail)
      counts.inbox++
      return
    }
    await sendThrough(config, job, data, mail, values)
    counts.sent++
  }

  return {
    async [MAIL_JOB](job) {
      try {
        await deliver(job)
      } catch (error) {
        const isFinal = error instanceof MailRejected || error instanceof GivenUp
        if (isFinal || mailPause(job.attempts + 1) === undefined) counts.parked++
        else counts.delayed++
        throw error instanceof MailRejected ? new GivenUp(error.message) : error
      }
    },
  }
}
