/** Invalidates codes: because the address changed, or the user was removed. */
import type { Work } from '../../../store/index.ts'
import { CODES } from '../codes.ts'
import { attempts, verificationId, verifications } from '../documents.ts'
import type { Purpose } from '../events.ts'

/** Invalidates the open code of a purpose, if there is one, for example when its address was replaced. */
export async function cancelCode(work: Work, userId: string, purpose: Purpose): Promise<void> {
  const id = verificationId(userId, purpose)
  if (await work.get(verifications, id)) await work.decide(verifications, id, { type: 'cancel' })
}

/**
 * Removes the codes and the failure count of a user in the commit that removes the user. Does nothing when none is
 * left.
 */
export async function removeVerifications(work: Work, userId: string): Promise<void> {
  for (const purpose of Object.keys(CODES) as Purpose[]) {
    const id = verificationId(userId, purpose)
    if (await work.get(verifications, id)) await work.decide(verifications, id, { type: 'remove' })
  }
  if (await work.get(attempts, userId)) await work.decide(attempts, userId, { type: 'remove' })
}
