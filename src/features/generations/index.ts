/**
 * Ends sessions, tokens and whatever else was opened for a user, all at once and on all nodes. A document counts how often
 * that happened; what is opened remembers the number and counts while it is the same. So one small event in the commit that
 * locks a user, resets a password or closes an organization ends any number of sessions and tokens, and undoing the
 * change brings none of them back.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import type { Work } from '../../store/index.ts'
import { formerGenerations, type Invalidate, organizationGenerations, userGenerations } from './documents.ts'

export const generationsModule = module({
  name: 'generations',
  kinds: stays(STAYS.endsTokens, userGenerations, organizationGenerations, formerGenerations),
  async whenOrganizationClosed(_, work, id) {
    await work.decide(organizationGenerations, id, { of: 'all' }, id)
  },
})

/** Counts an end for a user. `owner`: the organization of the user. */
export async function endForUser(work: Work, userId: string, owner: string, command: Invalidate): Promise<void> {
  await work.decide(userGenerations, userId, command, owner)
}

/** Counts the end of what a project was for the users of an organization. */
export async function endProjectFor(work: Work, organizationId: string, projectId: string): Promise<void> {
  await work.decide(organizationGenerations, organizationId, { of: 'project', projectId }, organizationId)
}

export { formerGenerations } from './documents.ts'
export { endingsOf, organizationEndings, projectEndings } from './endings.ts'
