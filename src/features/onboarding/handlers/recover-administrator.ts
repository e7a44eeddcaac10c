/**
 * For the operator: restores the access of an instance owner who lost their password or passkey. An operator with the
 * database and the master key could write anything anyway; this way, the log records what was done.
 */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { instanceRefusals, instances, issueRecoveryLink, newSetupLink, type SetupLink } from '../../instances/index.ts'
import { isInstanceOwner, membershipId, memberships } from '../../memberships/index.ts'
import { findByLoginName, readHuman, userRefusals, users } from '../../users/index.ts'
import { unlockAttempts } from '../../verifications/index.ts'

export interface Recovery {
  /** The user name of an owner of the instance; not given: the first administrator. */
  readonly userName?: string | undefined
  /** Whether using the link removes their second factors and passkeys. */
  readonly resetsFactors: boolean
}

async function findAdministrator(app: App, userName: string | undefined): Promise<string> {
  if (userName !== undefined) {
    const user = await findByLoginName(app, userName)
    if (user === undefined) throw refused(userRefusals, 'user.not_found')
    return user.id
  }
  const state = (await app.store.get(instances, app.instanceId))?.state
  if (state?.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
  return state.administratorId
}

/** An administrator who was locked or deactivated could not use the link. */
async function letAct(work: Work, userId: string): Promise<void> {
  await unlockAttempts(work, userId)
  const { status } = (await readHuman(work, userId)).state
  if (status === 'locked') await work.decide(users, userId, { type: 'unlock' })
  if (status === 'inactive') await work.decide(users, userId, { type: 'reactivate', overridesDirectory: true })
}

/** Creates a one-time link for an owner of the instance. It is shown once and stored nowhere. */
export async function recoverAdministrator(
  app: App,
  { userName, resetsFactors }: Recovery,
): Promise<SetupLink & { readonly userName: string }> {
  const userId = await findAdministrator(app, userName)
  const at = app.clock()
  const link = newSetupLink(app.externalUrl, userId, at)
  const { value } = await app.store.write({ actor: 'server', at }, async (work) => {
    const { state } = await readHuman(work, userId)
    const member = (await work.get(memberships, membershipId(app.instanceId, userId)))?.state
    if (member?.status !== 'member' || !isInstanceOwner(member)) throw refused(instanceRefusals, 'instance.not_owner')
    await letAct(work, userId)
    await issueRecoveryLink(work, app.instanceId, userId, { ...link, resetsFactors })
    return state
  })
  return { url: link.url, expiresAt: link.expiresAt, userName: value.userName }
}
