/**
 * Which event a user is told about by mail. The kinds of those events name `noticeAfter`, so that the event and the job of
 * its notice are one commit. A new security event is one line here. Pure.
 */
import type { AnyEvent } from '../../kernel/event.ts'
import type { NewJob } from '../../store/index.ts'
import type { NoticeType } from './message-types.ts'

/** The kind of the jobs that send notices; `messages` runs them. */
export const NOTICE_JOB = 'security-notice'

/** A notice to send. */
export interface SecurityNotice {
  readonly type: NoticeType
  readonly userId: string
  /** The address, if not that of the user: the one before a change. */
  readonly to?: string
  /** What the mail adds, such as the browser. */
  readonly detail?: string
}

const NOTICES: Readonly<Record<string, NoticeType>> = {
  'passkey.registered.v1': 'passkey_added',
  'passkey.removed.v1': 'factor_removed',
  'totp.verified.v1': 'factor_added',
  'totp.removed.v1': 'factor_removed',
  'otp.added.v1': 'factor_added',
  'otp.removed.v1': 'factor_removed',
  'recovery_codes.generated.v1': 'factor_added',
  'recovery_codes.removed.v1': 'factor_removed',
  'user.email_changed.v1': 'email_changed',
  'user.phone_changed.v1': 'phone_changed',
  'user.phone_removed.v1': 'phone_changed',
  'user.deletion_requested.v1': 'deletion_requested',
}

/** The job of a notice. */
export function noticeJob(notice: SecurityNotice): NewJob {
  return { kind: NOTICE_JOB, data: notice }
}

/** The job that follows an event about a user; undefined when they are not told. */
export function noticeAfter({ type }: AnyEvent, userId: string, more: Pick<SecurityNotice, 'to' | 'detail'> = {}) {
  const notice = Object.hasOwn(NOTICES, type) ? NOTICES[type] : undefined
  return notice && noticeJob({ type: notice, userId, ...more })
}
