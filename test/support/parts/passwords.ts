/** Users, for tests of passwords, codes and settings. The bearer token of a user is their ID. */

import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Caller } from '../../../src/access/call.ts'
import { openPasswords, type Passwords } from '../../../src/crypto/passwords/index.ts'
import { setPassword } from '../../../src/features/passwords/index.ts'
import { users } from '../../../src/features/users/index.ts'
import type { Part, World, WorldWith } from '../world.ts'

function inNorth(...roles: string[]) {
  return [{ scope: { organizationId: 'north' }, roles }]
}

/** An owner of the instance, a login client, users with roles in an organization; any other bearer is a user. */
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

/** A message that waits to be sent. */
export interface Sent {
  readonly userId: string
  readonly type: string
  readonly to: string
  readonly code?: string
  readonly link?: string
}

interface WithPasswords extends Pick<World, 'dispose'> {
  readonly hashing: Passwords
  /** The messages that wait to be sent, oldest first. */
  sent(): Promise<readonly Sent[]>
  /** Allows text messages: adds a provider that is never called, because no jobs run. */
  allowTexts(): Promise<void>
  /** Adds a user to an organization and returns their ID. */
  addPerson(options?: NewPerson): Promise<string>
}

export type PasswordWorld = WorldWith<WithPasswords>

export interface NewPerson {
  readonly userId?: string
  readonly organizationId?: string
  readonly phone?: string
  readonly needsSetUp?: boolean
  /** As another system or this one would have stored it. */
  readonly hash?: string
}

/** The lowest accepted costs, to save time. */
const COSTS = { memoryKib: 8192, passes: 1, lanes: 1 }

/** The users, and what hashes their passwords. */
export function withPasswords(): Part<WithPasswords> {
  const hashing = openPasswords({ currentOwners: () => ['test'], costs: COSTS, threads: 2, queueSeconds: 60 })
  const callers = (bearer: string) => CALLERS[bearer] ?? { userId: bearer, organizationId: 'north', grants: [] }
  return {
    options: { organizations: ['north', 'south'], callers, hashing },
    given: (world) => given(world, hashing),
  }
}

function given(world: World, hashing: Passwords): WithPasswords {
  let count = 0

  const addPerson = async ({ organizationId = 'north', phone, needsSetUp = false, hash, ...rest }: NewPerson = {}) => {
    const userId = rest.userId ?? `person-${++count}`
    const profile = { firstName: 'Ada', lastName: 'Lovelace', nickName: '', displayName: 'Ada Lovelace' }
    await world.store.write(world.origin(), async (work) => {
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
    hashing,
    async sent() {
      return (await world.outbox()).map(({ data, values }) => ({ ...data, ...values }) as unknown as Sent)
    },
    async allowTexts() {
      const { addSMSProviderHTTP, activateSMSProvider } = AdminService.method
      const { id } = await world.call(addSMSProviderHTTP, { endpoint: 'https://sms.example' }, { bearer: 'boss' })
      await world.call(activateSMSProvider, { id }, { bearer: 'boss' })
    },
    addPerson,
    async dispose() {
      await hashing.close()
      await world.dispose()
    },
  }
}
