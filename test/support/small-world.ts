/** A world with three organizations and some made-up callers, for tests of modules; and assertions on refusals. */
import assert from 'node:assert/strict'
import type { Caller } from '../../src/access/call.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { Refused, type Violation } from '../../src/kernel/refusal.ts'
import type { TestEngine } from './engines.ts'
import { openWorld, type Part, type World } from './world.ts'

export { NOON } from './world.ts'

function inOrganization(organizationId: string, ...roles: string[]) {
  return { scope: { organizationId }, roles }
}

/** Bearers: `boss` has all permissions, the others some in one organization, `nobody` none. */
const callers: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  north: { userId: 'north-owner', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER')] },
  south: { userId: 'south-owner', organizationId: 'south', grants: [inOrganization('south', 'ORG_OWNER')] },
  viewer: { userId: 'viewer', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER_VIEWER')] },
  closed: { userId: 'closed-owner', organizationId: 'closed', grants: [inOrganization('closed', 'ORG_OWNER')] },
  login: { userId: 'login', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_LOGIN_CLIENT'] }] },
  nobody: { userId: 'nobody', organizationId: 'north', grants: [] },
  renamed: { userId: 'renamed', organizationId: 'north', grants: [] },
}

export type SmallWorld = World

/** The organizations, of which `closed` is deactivated, and the callers. */
export const withThreeOrganizations: Part<object> = {
  options: { organizations: ['north', 'south', 'closed'], callers },
  async given({ store, origin }) {
    await store.write(origin(), (work) =>
      work.decide(organizations, 'closed', { type: 'deactivate', isDefault: false }),
    )
    return {}
  },
}

/** Opens the world. */
export function openSmallWorld(engine: TestEngine): Promise<SmallWorld> {
  return openWorld({ engine }, withThreeOrganizations)
}

/** The code and the fields of a refusal, whether a module, the authorization or the limits of the contract refused. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<{ code: string; violations: readonly Violation[] }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Refused) return error
    if (error instanceof Failed) return { code: error.failure.id, violations: error.failure.violations ?? [] }
    throw error
  }
  return assert.fail('it was not refused')
}

/** Asserts that something is refused with this code and, if given, for these fields. */
export async function isRefused(promise: Promise<unknown>, code: string, ...fields: string[]): Promise<void> {
  const refusal = await refusalOf(promise)
  assert.equal(refusal.code, code)
  if (fields.length > 0) assert.deepEqual(refusal.violations.map(({ field }) => field).sort(), fields.sort())
}
