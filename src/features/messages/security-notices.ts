/** Tells users by mail what changed in their account: one mail of a kind per minute, and none to unverified addresses. */

import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { type Document, kind, type Work } from '../../store/index.ts'
import { enqueueMail, NOTICE_JOB, type NoticeType, noticeJob, publicLink, type SecurityNotice } from '../mail/index.ts'
import { type HumanUser, users } from '../users/index.ts'
import { recipientOf, valuesOf } from './send-mail.ts'

const noticeEvents = declareEvents({
  /** A notice was put into the queue of mails. Stream: `notices`, under the id of the user. */
  'notices.sent.v1': data<{ readonly type: string; readonly sentAt: Instant }>(),
  /** The user was removed. */
  'notices.removed.v1': data(),
})

interface Notices {
  readonly isRemoved: boolean
  /** When the last one of each type was sent. */
  readonly sentAt: Readonly<Record<string, Instant>>
}

type NoticeCommand =
  | { readonly type: 'send'; readonly notice: NoticeType; readonly at: Instant }
  | { readonly type: 'remove' }

const PAUSE_MS = 60_000

function maySend({ sentAt }: Notices, notice: NoticeType, at: Instant): boolean {
  const before = sentAt[notice]
  return before === undefined || at - before >= PAUSE_MS
}

const noticesDecider: Decider<NoticeCommand, Notices, EventOf<typeof noticeEvents>, never> = {
  initial: { isRemoved: false, sentAt: {} },
  evolve: (state, event) =>
    event.type === 'notices.removed.v1'
      ? { isRemoved: true, sentAt: {} }
      : { ...state, sentAt: { ...state.sentAt, [event.data.type]: event.data.sentAt } },
  decide(command, state) {
    if (command.type === 'remove') return accept({ type: 'notices.removed.v1', data: {} })
    const { notice, at } = command
    return maySend(state, notice, at)
      ? accept({ type: 'notices.sent.v1', data: { type: notice, sentAt: at } })
      : accept()
  },
}

/** When a user was last told of what. */
export const notices = kind({
  name: 'notices',
  ids: { of: 'user' },
  waits: false,
  path: false,
  version: 1,
  personal: { by: 'id' },
  events: noticeEvents,
  decider: noticesDecider,
  refusals: {},
  fields: {},
  isGone: (state) => state.isRemoved,
})

/** The user as a recipient, or the address before a change; undefined when there is no verified one. */
function addressOf(user: Document<HumanUser>, { to }: SecurityNotice) {
  const recipient = recipientOf(user)
  if (to !== undefined) return { ...recipient, to }
  return user.state.email.isVerified ? recipient : undefined
}

/** What a user is asked to decide has a link to the page for it. It gives its reader nothing: they sign in there. */
function linkOf({ externalUrl }: App, type: NoticeType) {
  return type === 'approval_requested' ? { link: publicLink(externalUrl, PATHS.approvals, {}) } : {}
}

async function notify(app: App, notice: SecurityNotice): Promise<void> {
  const { type, userId, detail } = notice
  const at = app.clock()
  await app.store.write({ actor: 'server', at }, async (work) => {
    const user = await work.get(users, userId)
    // Removed meanwhile, with all of their factors.
    if (user === undefined || !('email' in user.state)) return
    const human = user as Document<HumanUser>
    const recipient = addressOf(human, notice)
    const sent = await work.get(notices, userId)
    if (recipient === undefined || (sent !== undefined && !maySend(sent.state, type, at))) return
    await work.decide(notices, userId, { type: 'send', notice: type, at }, user.owner)
    const values = { ...(await valuesOf(app, human)), ...(detail !== undefined && { detail }), ...linkOf(app, type) }
    await enqueueMail(app, work, { ...recipient, type, values })
  })
}

/** Tells a user of something that no event records, such as a sign-in in a browser that is not known. */
export async function sendSecurityNotice(app: App, notice: SecurityNotice): Promise<void> {
  await app.store.write({ actor: 'server', at: app.clock() }, async (work) => work.enqueue(noticeJob(notice)))
}

/** Forgets when a removed user was told of what. */
export async function forgetNotices(_app: App, work: Work, userId: string): Promise<void> {
  if ((await work.get(notices, userId)) !== undefined) await work.decide(notices, userId, { type: 'remove' })
}

/** The jobs of these notices. */
export function securityNoticeJobs(app: App): JobGroup {
  return { handlers: { [NOTICE_JOB]: (job) => notify(app, job.data as SecurityNotice) } }
}
