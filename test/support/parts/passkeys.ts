/** Users who register passkeys and security keys. The bearer token of a user is their ID. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { Caller } from '../../../src/access/call.ts'
import { appointMember } from '../../../src/features/administrators/index.ts'
import { finishRegistration, type KeyUse, startRegistration } from '../../../src/features/passkeys/index.ts'
import { users } from '../../../src/features/users/index.ts'
import { instant } from '../../../src/kernel/instant.ts'
import { type Authenticator, newAuthenticator } from '../authenticator.ts'
import { NOON, type Part, type QueuedMessage, type World, type WorldWith } from '../world.ts'

function inNorth(...roles: string[]) {
  return [{ scope: { organizationId: 'north' }, roles }]
}

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

export const ORIGIN = 'https://id.example.com'
export const RP_ID = 'id.example.com'

interface WithPasskeys extends Pick<World, 'clock'> {
  /** Registration links that wait to be sent by email, oldest first. */
  mailed(): Promise<readonly QueuedMessage[]>
  /** Grants a user a role that only owners of the instance cover. */
  makeMighty(userId: string): Promise<void>
  /** Adds a user to an organization and returns their ID. */
  addPerson(options?: { userId?: string; organizationId?: string; needsSetUp?: boolean }): Promise<string>
  /** Registers a key of this authenticator. */
  register(userId: string, use?: KeyUse, authenticator?: Authenticator): Promise<Registered>
}

export type PasskeyWorld = WorldWith<WithPasskeys>

export interface Registered {
  readonly keyId: string
  readonly authenticator: Authenticator
  readonly options: JsonObject
}

/** The users. `old.` before an id: signed in an hour ago; `new.`: a second ago. */
export function withPasskeys(): Part<WithPasskeys> {
  const time = { now: NOON }
  const callers = (bearer: string): Caller => {
    const known = CALLERS[bearer]
    if (known !== undefined) return known
    const [, age, userId = bearer] = /^(old|new)\.(.*)$/.exec(bearer) ?? []
    const authenticatedAt = instant(time.now - (age === 'old' ? 3_600_000 : 1000))
    const session = age === undefined ? {} : { session: { id: 'session', authenticatedAt, tokenHash: 'hash' } }
    return { userId, organizationId: 'north', grants: [], ...session }
  }
  return {
    options: {
      organizations: ['north', 'south'],
      callers,
      clock: () => time.now,
      externalUrl: ORIGIN,
      config: { passkeyOrigins: [ORIGIN] },
    },
    given: (world) => given(world, time),
  }
}

function given(world: World, clock: World['clock']): WithPasskeys {
  let count = 0

  const addPerson: WithPasskeys['addPerson'] = async ({
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
    await world.store.write(world.origin(), (work) => work.decide(users, userId, command, organizationId))
    return userId
  }

  return {
    clock,
    mailed: async () => (await world.outbox()).filter(({ data }) => data.type === 'passkey_link'),
    async makeMighty(userId) {
      await world.store.write(world.origin(), (work) =>
        appointMember(work, {
          scope: { level: 'instance', id: world.instanceId },
          userId,
          roles: ['IAM_OWNER'],
        }),
      )
    },
    addPerson,
    async register(userId, use = 'passkey', authenticator = newAuthenticator({ counts: true })) {
      const { passkeyId, options } = await startRegistration(world.app, world.origin(), { userId, use, domain: '' })
      const credential = authenticator.create(options, { origin: ORIGIN })
      await finishRegistration(world.app, world.origin(), {
        userId,
        use,
        passkeyId,
        credential,
        name: 'Key',
        nameField: 'passkeyName',
      })
      return { keyId: passkeyId, authenticator, options }
    },
  }
}
