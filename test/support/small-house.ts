/** A house with three organizations, some callers and the rooms of users, machines and the log; for tests of rooms. */
import assert from 'node:assert/strict'
import type { Caller } from '../../src/access/call.ts'
import { newMachineKeyPair } from '../../src/crypto/machine-key.ts'
import { auditMethods } from '../../src/features/audit/index.ts'
import {
  identifyByPersonalAccessToken,
  machineEventTypes,
  machineKeys,
  machineMethods,
  machineSecrets,
  personalAccessTokens,
  removeCredentials,
} from '../../src/features/machines/index.ts'
import { memberships } from '../../src/features/memberships/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import { userEventTypes, userMethods, users } from '../../src/features/users/index.ts'
import { Failed } from '../../src/http/errors.ts'
import { newId } from '../../src/kernel/id.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { Refused, type Violation } from '../../src/kernel/refusal.ts'
import type { Store } from '../../src/store/index.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { type CallRoom, callRooms } from './room-calls.ts'

const kinds = [organizations, users, memberships, personalAccessTokens, machineKeys, machineSecrets]

const inOrganization = (organizationId: string, ...roles: string[]) => ({ scope: { organizationId }, roles })

/** Who shows which bearer. `boss` may do everything, the others something in one organization, `nobody` nothing. */
const callers: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  north: { userId: 'north-owner', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER')] },
  south: { userId: 'south-owner', organizationId: 'south', grants: [inOrganization('south', 'ORG_OWNER')] },
  viewer: { userId: 'viewer', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER_VIEWER')] },
  closed: { userId: 'closed-owner', organizationId: 'closed', grants: [inOrganization('closed', 'ORG_OWNER')] },
  nobody: { userId: 'nobody', organizationId: 'north', grants: [] },
}

export interface SmallHouse {
  readonly store: Store
  readonly call: CallRoom
  /** Another node on the same data. */
  another(): Promise<CallRoom>
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  dispose(): Promise<void>
}

export const NOON = instant(1_800_000_000_000)

/** Opens the house on an empty database. Bearers are the names of its callers, or personal access tokens. */
export const openSmallHouse = async (engine: TestEngine): Promise<SmallHouse> => {
  const { store, another, dispose } = await openTestStore(kinds, engine)
  const clock = { now: NOON }
  await store.write({ actor: 'system', at: NOON }, async (work) => {
    for (const id of ['north', 'south', 'closed']) {
      await work.decide(organizations, id, { type: 'add', name: `The ${id}` }, id)
    }
    await work.decide(organizations, 'closed', { type: 'deactivate', isDefault: false })
  })
  const callOn = (node: Store): CallRoom => {
    const identifyToken = identifyByPersonalAccessToken(node)
    const methods = [
      ...userMethods({ store: node, newId, whenRemoved: [removeCredentials(node)] }),
      ...machineMethods({ store: node, newId, newKeyPair: newMachineKeyPair }),
      ...auditMethods({ store: node, kinds, eventTypes: [...userEventTypes, ...machineEventTypes] }),
    ]
    return callRooms(methods, {
      identify: async (bearer, at) => callers[bearer] ?? identifyToken(bearer, at),
      organization: (id) => organizationState(node, id),
      instanceId: () => 'instance',
      clock: () => clock.now,
    })
  }
  return { store, clock, call: callOn(store), another: async () => callOn(await another()), dispose }
}

/** The code and the fields of a refusal, whether a room, the gate or the limits of the contract said no. */
const refusalOf = async (promise: Promise<unknown>): Promise<{ code: string; violations: readonly Violation[] }> => {
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
export const isRefused = async (promise: Promise<unknown>, code: string, ...fields: string[]): Promise<void> => {
  const refusal = await refusalOf(promise)
  assert.equal(refusal.code, code)
  if (fields.length > 0) assert.deepEqual(refusal.violations.map(({ field }) => field).sort(), fields.sort())
}
