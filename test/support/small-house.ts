/** A house with three organizations and some callers, for tests of rooms. */
import assert from 'node:assert/strict'
import type { Caller } from '../../src/access/call.ts'
import { keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { openVault } from '../../src/features/instances/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { Refused, type Violation } from '../../src/kernel/refusal.ts'
import { kinds, openRooms, type Rooms } from '../../src/rooms.ts'
import type { Store } from '../../src/store/index.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { outside } from './outside.ts'
import { type CallRoom, callRooms } from './room-calls.ts'

function inOrganization(organizationId: string, ...roles: string[]) {
  return { scope: { organizationId }, roles }
}

/** Who shows which bearer. `boss` may do everything, the others something in one organization, `nobody` nothing. */
const callers: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  north: { userId: 'north-owner', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER')] },
  south: { userId: 'south-owner', organizationId: 'south', grants: [inOrganization('south', 'ORG_OWNER')] },
  viewer: { userId: 'viewer', organizationId: 'north', grants: [inOrganization('north', 'ORG_OWNER_VIEWER')] },
  closed: { userId: 'closed-owner', organizationId: 'closed', grants: [inOrganization('closed', 'ORG_OWNER')] },
  login: { userId: 'login', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_LOGIN_CLIENT'] }] },
  nobody: { userId: 'nobody', organizationId: 'north', grants: [] },
}

export interface SmallHouse {
  readonly store: Store
  readonly call: CallRoom
  readonly rooms: Rooms
  /** Another node on the same data. */
  another(): Promise<CallRoom>
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  dispose(): Promise<void>
}

export const NOON = instant(1_800_000_000_000)

/** Opens the house on an empty database. Bearers are the names of its callers, personal access tokens, or session tokens. */
export async function openSmallHouse(engine: TestEngine): Promise<SmallHouse> {
  const { store, another, dispose } = await openTestStore(kinds, engine)
  const clock = { now: NOON }
  await store.write({ actor: 'system', at: NOON }, async (work) => {
    for (const id of ['north', 'south', 'closed']) {
      await work.decide(organizations, id, { type: 'add', name: `The ${id}` }, id)
    }
    await work.decide(organizations, 'closed', { type: 'deactivate', isDefault: false })
  })
  const masterKeys = keyRing([newKey()])
  const openNode = async (node: Store): Promise<{ readonly rooms: Rooms; readonly call: CallRoom }> => {
    const origin = { actor: 'system', at: NOON }
    const vault = await openVault({ store: node, masterKeys: async () => masterKeys, instanceId: 'instance', origin })
    const rooms = openRooms({
      ...outside(),
      store: node,
      vault,
      clock: () => clock.now,
      instanceId: 'instance',
      externalUrl: 'http://localhost:8080',
      findToken: async () => false,
    })
    const call = callRooms(rooms.methods, {
      identify: async (bearer, at) => callers[bearer] ?? rooms.identify(bearer, at),
      organization: (id) => organizationState(node, id),
      instanceId: 'instance',
      clock: () => clock.now,
    })
    return { rooms, call }
  }
  const first = await openNode(store)
  return { store, clock, ...first, another: async () => (await openNode(await another())).call, dispose }
}

/** The code and the fields of a refusal, whether a room, the gate or the limits of the contract said no. */
async function refusalOf(promise: Promise<unknown>): Promise<{ code: string; violations: readonly Violation[] }> {
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
