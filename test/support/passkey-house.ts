/** A house with people in it and the room of passkeys; links that would be mailed are kept for the test. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { Caller } from '../../src/access/call.ts'
import { keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { instances, keyRings, openVault } from '../../src/features/instances/index.ts'
import { memberships } from '../../src/features/memberships/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import {
  finishRegistration,
  type KeyUse,
  type LinkMessage,
  type PasskeysNeeds,
  passkeyMethods,
  passkeyRegistrations,
  passkeys,
  relyingPartyAt,
  startRegistration,
} from '../../src/features/passkeys/index.ts'
import { settings } from '../../src/features/settings/index.ts'
import { users } from '../../src/features/users/index.ts'
import { attempts, verifications } from '../../src/features/verifications/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import type { Origin, Store } from '../../src/store/index.ts'
import { type Authenticator, newAuthenticator } from './authenticator.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { type CallRoom, callRooms } from './room-calls.ts'

const kinds = [
  instances,
  keyRings,
  organizations,
  users,
  memberships,
  settings,
  verifications,
  attempts,
  passkeys,
  passkeyRegistrations,
]

function inNorth(...roles: string[]) {
  return [{ scope: { organizationId: 'north' }, roles }]
}

/** Who shows which bearer; any other bearer is the person of that id. `old.` before an id: signed in an hour ago. */
const CALLERS: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  login: { userId: 'login', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_LOGIN_CLIENT'] }] },
  north: { userId: 'north-owner', organizationId: 'north', grants: inNorth('ORG_OWNER') },
  manager: { userId: 'manager', organizationId: 'north', grants: inNorth('ORG_USER_MANAGER') },
  viewer: { userId: 'viewer', organizationId: 'north', grants: inNorth('ORG_OWNER_VIEWER') },
  south: {
    userId: 'south-owner',
    organizationId: 'south',
    grants: [{ scope: { organizationId: 'south' }, roles: ['ORG_OWNER'] }],
  },
}

export const NOON = instant(1_800_000_000_000)
export const ORIGIN = 'https://id.example.com'
export const RP_ID = 'id.example.com'

export interface PasskeyHouse {
  readonly store: Store
  readonly needs: PasskeysNeeds
  readonly call: CallRoom
  /** Links that would have been mailed. */
  readonly mailed: LinkMessage[]
  /** Users who may do more than anybody else. */
  readonly mighty: Set<string>
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  origin(): Origin
  /** Another node on the same data. */
  another(): Promise<{ readonly store: Store; readonly call: CallRoom; readonly needs: PasskeysNeeds }>
  /** Adds a person to an organization and answers their id. */
  addPerson(options?: { userId?: string; organizationId?: string; needsSetUp?: boolean }): Promise<string>
  /** Registers a key of this authenticator. */
  register(userId: string, use?: KeyUse, authenticator?: Authenticator): Promise<Registered>
  dispose(): Promise<void>
}

export interface Registered {
  readonly keyId: string
  readonly authenticator: Authenticator
  readonly options: JsonObject
}

/** Opens the house on an empty database. The bearer of a person is their id. */
export async function openPasskeyHouse(engine?: TestEngine, origins: readonly string[] | undefined = [ORIGIN]) {
  const { store, another, dispose } = await openTestStore(kinds, engine)
  const clock = { now: NOON }
  const mailed: LinkMessage[] = []
  const mighty = new Set<string>()
  const instanceId = 'instance'
  const origin = (): Origin => ({ actor: 'system', at: clock.now })
  const ring = keyRing([newKey()])
  let count = 0

  await store.write(origin(), async (work) => {
    for (const id of ['north', 'south']) {
      await work.decide(organizations, id, { type: 'add', name: `The ${id} company` }, id)
    }
    const created = { name: 'house', defaultOrganizationId: 'north', administratorId: 'boss' }
    const command = { type: 'create', ...created, machineAdministratorId: 'robot' } as const
    await work.decide(instances, 'instance', command, 'instance')
  })

  const identify = async (bearer: string): Promise<Caller> => {
    const known = CALLERS[bearer]
    if (known !== undefined) return known
    const [, age, userId = bearer] = /^(old|new)\.(.*)$/.exec(bearer) ?? []
    const authenticatedAt = instant(clock.now - (age === 'old' ? 3_600_000 : 1000))
    const session = age === undefined ? {} : { session: { id: 'session', authenticatedAt, tokenHash: 'hash' } }
    return { userId, organizationId: 'north', grants: [], ...session }
  }

  const wire = async (node: Store) => {
    const masterKeys = async () => ring
    const vault = await openVault({ store: node, masterKeys, instanceId: 'instance', origin: origin() })
    const needs: PasskeysNeeds = {
      store: node,
      newId,
      instanceId,
      relyingParty: relyingPartyAt(ORIGIN, origins),
      codes: { vault, instanceId },
      messages: {
        urlTemplateProblem: (template) => (template.startsWith('https://') ? undefined : 'must be an https URL'),
        async mailLink(_, message) {
          mailed.push(message)
        },
      },
      isCovered: async (_, userId) => !mighty.has(userId),
    }
    const call = callRooms(passkeyMethods(needs), {
      identify,
      organization: (id) => organizationState(node, id),
      instanceId,
      clock: () => clock.now,
    })
    return { store: node, needs, call }
  }

  const addPerson: PasskeyHouse['addPerson'] = async ({
    organizationId = 'north',
    needsSetUp = false,
    ...rest
  } = {}) => {
    const userId = rest.userId ?? `person-${++count}`
    const profile = { firstName: 'Ada', lastName: 'Lovelace', nickName: '', displayName: 'Ada Lovelace' }
    const command = {
      type: 'add_human',
      userName: `name of ${userId}`,
      profile: { ...profile, preferredLanguage: 'en', gender: 'unspecified' },
      email: { address: `person${count}@example.com`, isVerified: true },
      needsSetUp,
    } as const
    await store.write(origin(), (work) => work.decide(users, userId, command, organizationId))
    return userId
  }

  const wired = await wire(store)
  const register: PasskeyHouse['register'] = async (
    userId,
    use = 'passkey',
    authenticator = newAuthenticator({ counts: true }),
  ) => {
    const { passkeyId, options } = await startRegistration(wired.needs, origin(), { userId, use, domain: '' })
    const credential = authenticator.create(options, { origin: ORIGIN })
    await finishRegistration(wired.needs, origin(), {
      userId,
      use,
      passkeyId,
      credential,
      name: 'Key',
      nameField: 'passkeyName',
    })
    return { keyId: passkeyId, authenticator, options }
  }

  const house: PasskeyHouse = {
    ...wired,
    mailed,
    mighty,
    clock,
    origin,
    another: async () => wire(await another()),
    addPerson,
    register,
    dispose,
  }
  return house
}
