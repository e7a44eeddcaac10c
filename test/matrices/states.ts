/** What can become of an account, and how it is brought about. */
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { countTry } from '../../src/features/verifications/index.ts'
import type { World } from '../support/world.ts'
import { outcomeOf } from './scene.ts'

/** What brings a state about. */
type Scene = Pick<World, 'app' | 'store' | 'origin' | 'call' | 'owner' | 'runJobs'>

const v1 = ManagementService.method

/** The columns of the matrix. */
export const STATES = [
  'active',
  'locked',
  'locked by failures',
  'deactivated',
  'removed',
  'organization deactivated',
  'organization removed',
  'organization removed and cleared',
] as const

export type State = (typeof STATES)[number]

/** How many wrong secrets lock a factor in the matrix. */
export const FEW_ATTEMPTS = 3

/** Whom a state is brought about for. */
export interface Account {
  readonly userId: string
  readonly organizationId: string
}

/** Fails at every factor that can be locked until it is. */
async function failOften({ app, store, origin }: Scene, { userId, organizationId: owner }: Account): Promise<void> {
  for (const path of ['password', 'totp', 'otp_sms', 'recovery_code'] as const) {
    for (let tries = 0; tries < FEW_ATTEMPTS; tries++) {
      await outcomeOf(store.write(origin(), (work) => countTry(app, work, { userId, owner, path }, false)))
    }
  }
}

/** Brings an account into a state, on the first node. */
export async function bringAbout(scene: Scene, state: State, { userId, organizationId }: Account): Promise<void> {
  const { call, owner } = scene
  const there = { ...owner, organizationId }
  switch (state) {
    case 'active':
      return
    case 'locked':
      return void (await call(v1.lockUser, { id: userId }, there))
    case 'locked by failures':
      return failOften(scene, { userId, organizationId })
    case 'deactivated':
      return void (await call(v1.deactivateUser, { id: userId }, there))
    case 'removed':
      return void (await call(v1.removeUser, { id: userId }, there))
    case 'organization deactivated':
      return void (await call(v1.deactivateOrg, {}, there))
    case 'organization removed':
      return void (await call(v1.removeOrg, {}, there))
    case 'organization removed and cleared':
      await call(v1.removeOrg, {}, there)
      return scene.runJobs()
  }
}

/** A new organization in which few wrong secrets lock a factor. */
export async function addOrganization({ call, owner }: Scene, name: string): Promise<string> {
  const { organizationId } = await call(OrganizationService.method.addOrganization, { name }, owner)
  const lockout = { maxPasswordAttempts: FEW_ATTEMPTS, maxOtpAttempts: FEW_ATTEMPTS }
  await call(v1.addCustomLockoutPolicy, lockout, { ...owner, organizationId })
  return organizationId
}
