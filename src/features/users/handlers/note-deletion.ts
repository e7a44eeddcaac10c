/** Notes that a user asked for the deletion of their account. The module `account` decides whether they may, and does it. */
import type { Instant } from '../../../kernel/instant.ts'
import type { Document, NewJob, Work } from '../../../store/index.ts'
import { users } from '../documents.ts'
import type { User } from '../state.ts'

/** The kind of the job that deletes accounts. */
export const DELETION_JOB = 'account-deletion'

export interface Deletion {
  readonly userId: string
  /** The request that the job belongs to; a request that was cancelled is another one. */
  readonly dueAt: Instant
}

/** Notes it as part of a write, and that a job does it when it is due. */
export async function noteDeletion(
  work: Work,
  userId: string,
  { requestedAt: at, dueAt }: { readonly requestedAt: Instant; readonly dueAt: Instant },
  options: Pick<NewJob, 'isOwed'> = {},
): Promise<Document<User>> {
  const asked = await work.decide(users, userId, { type: 'request_deletion', at, dueAt })
  const data: Deletion = { userId, dueAt }
  work.enqueue({ kind: DELETION_JOB, data, dueAt, ...options })
  return asked
}
