/** What can become of an account, and how it is brought about. */
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { makeCode } from './codes.ts'
import { outcomeOf, type Scene, users } from './scene.ts'

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

/** How many wrong secrets close an account in the matrix. */
export const FEW_ATTEMPTS = 3

/** Whom a state is brought about for. */
export interface Account {
  readonly userId: string
  readonly organizationId: string
}

async function failOften(scene: Scene, userId: string): Promise<void> {
  const { call, owner } = scene
  const verification = { case: 'verificationCode', value: 'WRONG1' } as const
  const request = { userId, newPassword: { password: 'quite another secret' }, verification }
  // Where no code is open, nothing is compared and nothing is counted.
  if ((await outcomeOf(call(users.setPassword, request, owner))) !== 'verification.code_invalid') return
  await makeCode(scene, userId, 'password_reset')
  for (let tries = 0; tries < FEW_ATTEMPTS; tries++) await outcomeOf(call(users.setPassword, request, owner))
  scene.wait(10_000)
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
      return failOften(scene, userId)
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

/** A new organization in which few wrong secrets close an account. */
export async function addOrganization({ call, owner }: Scene, name: string): Promise<string> {
  const { organizationId } = await call(OrganizationService.method.addOrganization, { name }, owner)
  const lockout = { maxPasswordAttempts: FEW_ATTEMPTS, maxOtpAttempts: FEW_ATTEMPTS }
  await call(v1.addCustomLockoutPolicy, lockout, { ...owner, organizationId })
  return organizationId
}
