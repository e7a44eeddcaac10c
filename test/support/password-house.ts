/** A house with people in it and the rooms of settings, codes and passwords; messages to people are kept for the test. */
import type { Caller } from '../../src/access/call.ts'
import { keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { openPasswords, type Passwords } from '../../src/crypto/passwords/index.ts'
import { instances, keyRings, openVault, type Vault } from '../../src/features/instances/index.ts'
import { memberships } from '../../src/features/memberships/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import {
  openPasswordChecks,
  type PasswordsNeeds,
  passwordMethods,
  passwords,
  setPassword,
} from '../../src/features/passwords/index.ts'
import { settings, settingsMethods } from '../../src/features/settings/index.ts'
import { type HumanUser, users } from '../../src/features/users/index.ts'
import { attempts, type VerificationsNeeds, verifications } from '../../src/features/verifications/index.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import type { Document, Origin, Store } from '../../src/store/index.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { type CallRoom, callRooms } from './room-calls.ts'

const kinds = [instances, keyRings, organizations, users, memberships, settings, verifications, attempts, passwords]

function inNorth(...roles: string[]) {
  return [{ scope: { organizationId: 'north' }, roles }]
}

/** Who shows which bearer: an owner of the instance, two managers, a viewer, and otherwise the person of that name. */
const CALLERS: Readonly<Record<string, Caller>> = {
  boss: { userId: 'boss', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_OWNER'] }] },
  login: { userId: 'login', organizationId: 'north', grants: [{ scope: 'instance', roles: ['IAM_LOGIN_CLIENT'] }] },
  north: { userId: 'north', organizationId: 'north', grants: inNorth('ORG_OWNER') },
  manager: { userId: 'manager', organizationId: 'north', grants: inNorth('ORG_USER_MANAGER') },
  viewer: { userId: 'viewer', organizationId: 'north', grants: inNorth('ORG_OWNER_VIEWER') },
  south: {
    userId: 'south',
    organizationId: 'south',
    grants: [{ scope: { organizationId: 'south' }, roles: ['ORG_OWNER'] }],
  },
}

/** A message that would have left. */
export interface Sent {
  readonly type: string
  readonly to: string
  readonly code?: string
  readonly urlTemplate?: string | undefined
}

export interface PasswordHouse {
  readonly store: Store
  readonly vault: Vault
  readonly codes: VerificationsNeeds
  readonly needs: PasswordsNeeds
  readonly library: Passwords
  readonly call: CallRoom
  readonly sent: Sent[]
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  /** Whether an SMS can be sent. */
  readonly texting: { isPossible: boolean }
  origin(): Origin
  /** Another node on the same data. */
  another(): Promise<{ readonly store: Store; readonly call: CallRoom; readonly needs: PasswordsNeeds }>
  /** Adds a person to an organization and answers their id. */
  addPerson(options?: NewPerson): Promise<string>
  dispose(): Promise<void>
}

export interface NewPerson {
  readonly userId?: string
  readonly organizationId?: string
  readonly phone?: string
  readonly needsSetUp?: boolean
  /** As another system or this one would have stored it. */
  readonly hash?: string
}

export const NOON = instant(1_800_000_000_000)

/** The least that is accepted, for the sake of time. */
const COSTS = { memoryKib: 8192, passes: 1, lanes: 1 }

/** Opens the house on an empty database. The bearer of a person is their id. */
export async function openPasswordHouse(engine?: TestEngine): Promise<PasswordHouse> {
  const { store, another, dispose } = await openTestStore(kinds, engine)
  const clock = { now: NOON }
  const texting = { isPossible: true }
  const sent: Sent[] = []
  const library = openPasswords({ costs: COSTS, threads: 2, queueSeconds: 60 })
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

  const messages: PasswordsNeeds['messages'] = {
    urlTemplateProblem: (template) => (template.startsWith('https://') ? undefined : 'must be an https URL'),
    async mailCode(_, type, { user, code, urlTemplate }) {
      sent.push({ type, to: user.state.email.address, code, urlTemplate })
    },
    canText: async () => texting.isPossible,
    async textCode(_, { user, code }) {
      sent.push({ type: 'sms', to: user.state.phone?.number ?? '', code })
    },
    async mailNotice(_, type, { state }: Document<HumanUser>) {
      sent.push({ type, to: state.email.address })
    },
  }

  const wire = async (node: Store) => {
    const vault = await openVault({
      store: node,
      masterKeys: async () => ring,
      instanceId: 'instance',
      origin: origin(),
    })
    const codes = { vault, instanceId }
    const checks = openPasswordChecks({ store: node, library, instanceId })
    const needs: PasswordsNeeds = { store: node, instanceId, library, checks, codes, messages }
    const call = callRooms([...settingsMethods({ store: node, instanceId }), ...passwordMethods(needs)], {
      identify: async (bearer) => CALLERS[bearer] ?? { userId: bearer, organizationId: 'north', grants: [] },
      organization: (id) => organizationState(node, id),
      instanceId,
      clock: () => clock.now,
    })
    return { store: node, vault, codes, needs, call }
  }

  const addPerson = async ({ organizationId = 'north', phone, needsSetUp = false, hash, ...rest }: NewPerson = {}) => {
    const userId = rest.userId ?? `person-${++count}`
    const profile = { firstName: 'Ada', lastName: 'Lovelace', nickName: '', displayName: 'Ada Lovelace' }
    await store.write(origin(), async (work) => {
      const command = {
        type: 'add_human',
        userName: userId,
        profile: { ...profile, preferredLanguage: 'en', gender: 'unspecified' },
        email: { address: `${userId}@example.com`, isVerified: true },
        ...(phone !== undefined && { phone: { number: phone, isVerified: true } }),
        needsSetUp,
      } as const
      await work.decide(users, userId, command, organizationId)
      if (hash !== undefined) await setPassword(work, { userId, owner: organizationId, hash, changeRequired: false })
    })
    return userId
  }

  return {
    ...(await wire(store)),
    library,
    sent,
    clock,
    texting,
    origin,
    another: async () => wire(await another()),
    addPerson,
    async dispose() {
      await library.close()
      await dispose()
    },
  }
}
