/** The front of this room: all that others may know about mail. */
import type { Method } from '../../access/method.ts'
import type { JobHandlers, JobOptions } from '../../store/index.ts'
import { type MailCounts, newMailCounts } from './counts.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { mailJobs, mailPause } from './jobs.ts'
import { inboxMethods } from './mail-rpc.ts'
import type { MailNeeds } from './needs.ts'
import { emailProviderMethods } from './provider-rpc.ts'
import { type EnqueueMail, mailQueue } from './queue.ts'
import { smtpMethods } from './smtp-rpc.ts'
import { textMethods } from './text-rpc.ts'

export type { MailCounts } from './counts.ts'
export { inboxMails, messageTexts, smtpConfigs } from './documents.ts'
export type { InboxMailEvent, MessageTextEvent, SmtpConfigEvent } from './events.ts'
export type { Inbox, InboxFilter, InboxMail, InboxQuery } from './inbox.ts'
export { mailPause } from './jobs.ts'
export { sweepMessageTexts } from './message-texts.ts'
export { MAIL_LANGUAGES, type MailLanguage, type MessageType, mailLanguageOf } from './message-types.ts'
export type { MailNeeds } from './needs.ts'
export { countMails } from './parked.ts'
export type { EnqueueMail, MailRequest } from './queue.ts'
export { type MailRefusal, mailRefusals } from './refusals.ts'
export type { MailValues } from './render.ts'
export { jobResealer, mailResealers } from './reseal.ts'
export { openTransport, type SendMail, type TransportOptions } from './transport.ts'
export {
  CODE_VARIABLES,
  type Link,
  ONE_TIME_CODE_VARIABLES,
  PASSKEY_VARIABLES,
  publicLink,
  renderUrlTemplate,
  urlTemplateProblem,
} from './url-template.ts'

/** The room of one process. */
export interface MailRoom {
  readonly methods: readonly Method[]
  /** For other rooms: has a mail sent in the same commit. */
  readonly enqueueMail: EnqueueMail
  /** To be run with `jobOptions`, by a runner of their own: mail has its own pauses. */
  readonly jobs: JobHandlers
  readonly jobOptions: Pick<JobOptions, 'pauseAfter' | 'concurrency'>
  readonly inbox: Inbox
  /** What became of mails in this process. */
  readonly counts: Readonly<MailCounts>
}

/** How many mails one process sends at once. */
const CONCURRENCY = 8

/** Opens the room; one for each process, so that whoever waits for a mail is told by whoever brings it. */
export function openMail(needs: MailNeeds): MailRoom {
  const inbox = openInbox(needs)
  const counts = newMailCounts()
  const withInbox = { ...needs, inbox }
  return {
    methods: [...smtpMethods(needs), ...emailProviderMethods(needs), ...inboxMethods(withInbox), ...textMethods(needs)],
    enqueueMail: mailQueue(needs.vault, needs.newId),
    jobs: mailJobs({ ...withInbox, counts }),
    jobOptions: { pauseAfter: mailPause, concurrency: CONCURRENCY },
    inbox,
    counts,
  }
}
