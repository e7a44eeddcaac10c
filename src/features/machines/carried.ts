/** How machine users are carried, with their secrets, keys and personal access tokens. */
import { readPublicKey } from '../../crypto/machine-key.ts'
import { isSecretHash } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import {
  type Arriving,
  type BodyOf,
  type Draft,
  declare,
  type KeyDraft,
  nothingElse,
  type OpenedDocument,
  putParts,
  putSecret,
  type SecretDraft,
  secretOf,
} from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import {
  addMachineTo,
  checkNewMachine,
  isLiving,
  type MachineProfile,
  type MachineUser,
  putInState,
  removeUserIn,
  requireUser,
  type User,
  users,
} from '../users/index.ts'
import { keyUses, tokenUses } from './credential-uses.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from './documents.ts'
import { changeMachineIn } from './handlers/add-machine.ts'
import { machineRefusals } from './refusals.ts'

export interface MachineDraft extends Draft<'machine'>, MachineProfile {
  readonly userName: string
  readonly nameSince?: Instant | undefined
  readonly state: MachineUser['status']
  readonly secret?: SecretDraft | undefined
  readonly secretDates?: Dates | undefined
  /** SPKI, PEM. */
  readonly keys: readonly KeyDraft[]
  readonly tokens: readonly Omit<KeyDraft, 'publicKey'>[]
}

/** A credential that ends, with the ID that it had. */
interface CarriedCredential {
  readonly id: string
  readonly userId: string
  readonly expiresAt: Instant
  /** What it is for. */
  readonly name?: string | undefined
  /** When it was last used, to the day. */
  readonly usedAt?: Instant | undefined
}

type At = Pick<Arriving<unknown>, 'work' | 'owner'> & { readonly issuedAt?: Instant }

async function addKey(at: At, { id, publicKey: given, ...key }: CarriedCredential & { readonly publicKey: string }) {
  const { work, owner, issuedAt = work.origin.at } = at
  const publicKey = readPublicKey(Buffer.from(given))
  if (publicKey === undefined) throw refused(machineRefusals, 'machine.public_key_invalid')
  const { userId, expiresAt, name = '', usedAt } = key
  await work.decide(machineKeys, id, { type: 'add', userId, expiresAt, publicKey, name, at: issuedAt }, owner)
  if (usedAt !== undefined) await work.decide(keyUses, id, { usedAt }, owner)
}

/** Adds a token by its hash. If only the ID is known, it is recognized by the key of the product that issued it. */
async function addToken(at: At, { id, hash, ...token }: CarriedCredential & { readonly hash?: string | undefined }) {
  const { work, owner, issuedAt = work.origin.at } = at
  const { userId, expiresAt, name = '', usedAt } = token
  if (hash !== undefined && !isSecretHash(hash)) throw refused(machineRefusals, 'machine.token_not_found')
  const held = { userId, expiresAt, at: issuedAt }
  const command =
    hash === undefined ? ({ type: 'bring', ...held } as const) : ({ type: 'add', hash, name, ...held } as const)
  await work.decide(personalAccessTokens, id, command, owner)
  if (usedAt !== undefined) await work.decide(tokenUses, id, { usedAt }, owner)
}

/** Where a credential of an export is added: it is kept even if it has expired since. */
async function atUser({ work, createdAt, restores }: Arriving<unknown>, userId: string): Promise<At> {
  return { work, owner: await requireUser(work, userId), ...(restores && { issuedAt: createdAt }) }
}

type Use = { readonly status: 'unused' } | { readonly status: 'used'; readonly usedAt: Instant }

function usedAtOf(use: OpenedDocument<Use> | undefined) {
  return use?.state.status === 'used' ? { usedAt: use.state.usedAt } : {}
}

export const carriedMachines = declare(users, {
  as: 'machine',
  after: ['human'],
  secrets: { secret: 'optional' },
  lives: (state: User): state is MachineUser => isLiving(state) && state.type === 'machine',
  async describe({ status: state, ...machine }, { beside }): Promise<BodyOf<MachineDraft>> {
    const { type: _, needsSetUp: __, nameScope: ___, search: ____, hasSecret: _____, ...known } = machine
    const { userName, nameSince, name, description, accessTokenType, ...rest } = known
    nothingElse(rest)
    const secret = secretOf(await beside(machineSecrets))
    return { userName, nameSince, state, name, description, accessTokenType, keys: [], tokens: [], ...secret }
  },
  async put(arriving, before) {
    const { app, work, id: userId, organizationId, owner, draft, dates } = arriving
    const { userName, nameSince, state, secret, secretDates, keys, tokens, ...machine } = draft
    const { name, description, accessTokenType, ...rest } = machine
    nothingElse(rest)
    await putInState(arriving, state, before, async () => {
      const given = { name, description, accessTokenType, userName: before ? userName.trim() : userName }
      checkNewMachine({ ...(before === undefined && { userId }), ...given }, { userName: 'userName', prefix: '' })
      if (before === undefined) {
        const command = { type: 'add_machine', ...given, ...(nameSince !== undefined && { nameSince }) } as const
        await addMachineTo(app, work, { userId, organizationId, command })
      } else await changeMachineIn(app, work, userId, given)
      const holder = before && { field: 'userId', equals: userId }
      await putParts(arriving, machineKeys, holder, keys, {
        name: 'The key',
        add: (key) => addKey({ work, owner }, { ...key, userId }),
      })
      await putParts(arriving, personalAccessTokens, holder, tokens, {
        name: 'The personal access token',
        add: (token) => addToken({ work, owner }, { ...token, userId }),
      })
      if (secretDates !== undefined) dates(machineSecrets, userId, secretDates)
      await putSecret(arriving, secret, (await work.get(machineSecrets, userId))?.state, {
        async set(hash) {
          await work.decide(machineSecrets, userId, { type: 'set', hash }, owner)
          await work.decide(users, userId, { type: 'set_machine_secret' })
        },
        async remove() {
          await work.decide(users, userId, { type: 'remove_machine_secret' })
          await work.decide(machineSecrets, userId, { type: 'remove' })
        },
      })
    })
  },
  remove: ({ app, work, id }) => removeUserIn(app, work, id),
})

export const carriedTokens = declare(personalAccessTokens, {
  as: 'token',
  after: ['identity-link'],
  secrets: { hash: 'needed' },
  lives: ['active'],
  async describe({ status: _, secret, ...token }, { beside }) {
    return { ...token, ...usedAtOf(await beside(tokenUses)), hash: secret?.hash }
  },
  async put(arriving, before) {
    const { userId, expiresAt, name, usedAt, hash, ...rest } = arriving.draft
    nothingElse(rest)
    if (before !== undefined) return
    await addToken(await atUser(arriving, userId), { id: arriving.id, userId, expiresAt, name, usedAt, hash })
  },
  remove: 'with its holder',
})

export const carriedKeys = declare(machineKeys, {
  as: 'machine-key',
  after: ['token'],
  lives: ['active'],
  async describe({ status: _, ...key }, { beside }) {
    return { ...key, ...usedAtOf(await beside(keyUses)) }
  },
  async put(arriving, before) {
    const { userId, expiresAt, name, usedAt, publicKey, ...rest } = arriving.draft
    nothingElse(rest)
    if (before !== undefined) return
    await addKey(await atUser(arriving, userId), { id: arriving.id, userId, expiresAt, name, usedAt, publicKey })
  },
  remove: 'with its holder',
})
