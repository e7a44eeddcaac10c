/** Giving credentials to machines and taking them away, in whichever service's words it was asked. */
import type { Call } from '../../access/call.ts'
import { covers } from '../../access/roles.ts'
import { formatMachineKeyFile, readPublicKey } from '../../crypto/machine-key.ts'
import { hashSecret, newPersonalAccessToken, newSecret } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { isLiving, type MachineUser, type User, userRefusals, users, type WhenRemoved } from '../users/index.ts'
import type { MachineKey, PersonalAccessToken } from './decider.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from './documents.ts'
import type { MachinesNeeds } from './needs.ts'
import { machineRefusals } from './refusals.ts'

function requireActiveMachine(user: Document<User> | undefined): Document<MachineUser> {
  if (user === undefined || !isLiving(user.state)) throw refused(userRefusals, 'user.not_found')
  if (user.state.type !== 'machine') throw refused(userRefusals, 'user.not_machine')
  if (user.state.status !== 'active') throw refused(userRefusals, 'user.not_active')
  return user as Document<MachineUser>
}

/** Guards that the user is there, is a machine, and is active until the work is committed. */
async function readActiveMachine(work: Work, userId: string): Promise<Document<MachineUser>> {
  return requireActiveMachine(await work.read(users, userId))
}

/** Throws when the machine may do more than the caller, who would rise above themself with its credential. */
async function checkCovered(store: Store, { caller }: Call, userId: string): Promise<void> {
  if (caller.userId === userId) return
  if (!covers(caller.grants, await grantsOf(store, userId))) throw refused(machineRefusals, 'machine.above_own')
}

export interface AddedToken {
  readonly tokenId: string
  /** The token itself: shown once, stored nowhere. */
  readonly token: string
  readonly written: Written<Document<PersonalAccessToken>>
}

/** Gives a machine a personal access token. */
export async function addPersonalAccessToken(
  { store, newId }: MachinesNeeds,
  call: Call,
  userId: string,
  expiresAt: Instant,
): Promise<AddedToken> {
  await checkCovered(store, call, userId)
  const tokenId = newId()
  const { text, hash } = newPersonalAccessToken(tokenId)
  const command = { type: 'add', userId, expiresAt, hash, at: call.at } as const
  const written = await store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    return work.decide(personalAccessTokens, tokenId, command, owner)
  })
  return { tokenId, token: text, written }
}

/** Takes a personal access token away; one of another user is not found. */
export function removePersonalAccessToken(store: Store, origin: Origin, userId: string, tokenId: string) {
  return store.write(origin, async (work) => {
    const token = await work.read(personalAccessTokens, tokenId)
    if (token?.state.status !== 'active' || token.state.userId !== userId) {
      throw refused(machineRefusals, 'machine.token_not_found')
    }
    return work.decide(personalAccessTokens, tokenId, { type: 'remove' })
  })
}

export interface AddedKey {
  readonly keyId: string
  /** The key file with the private key: shown once, stored nowhere. Empty when the caller brought a public key. */
  readonly file: Uint8Array
  readonly written: Written<Document<MachineKey>>
}

function ownPublicKey(bytes: Uint8Array): string {
  const publicKey = readPublicKey(bytes)
  if (publicKey !== undefined) return publicKey
  const violations = [{ field: 'publicKey', description: 'must be a supported public key in PEM format' }]
  throw refused(machineRefusals, 'machine.public_key_invalid', { violations })
}

/** Gives a machine a key: the public key that the caller brought, or, when that is empty, a new pair. */
export async function addMachineKey(
  { store, newId, newKeyPair }: MachinesNeeds,
  call: Call,
  userId: string,
  expiresAt: Instant,
  brought: Uint8Array,
): Promise<AddedKey> {
  // Making a pair is expensive: first see whether it would be of use.
  requireActiveMachine(await store.get(users, userId))
  await checkCovered(store, call, userId)
  const keyId = newId()
  const pair = brought.length > 0 ? { publicKey: ownPublicKey(brought), privateKey: undefined } : await newKeyPair()
  const command = { type: 'add', userId, expiresAt, publicKey: pair.publicKey, at: call.at } as const
  const written = await store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    return work.decide(machineKeys, keyId, command, owner)
  })
  const { privateKey } = pair
  const file =
    privateKey === undefined ? new Uint8Array() : formatMachineKeyFile({ keyId, userId, privateKey, expiresAt })
  return { keyId, file, written }
}

/** Takes a key away; one of another user is not found. */
export function removeMachineKey(store: Store, origin: Origin, userId: string, keyId: string) {
  return store.write(origin, async (work) => {
    const key = await work.read(machineKeys, keyId)
    if (key?.state.status !== 'active' || key.state.userId !== userId) {
      throw refused(machineRefusals, 'machine.key_not_found')
    }
    return work.decide(machineKeys, keyId, { type: 'remove' })
  })
}

export interface SetSecret {
  /** The secret itself: shown once, stored nowhere. */
  readonly secret: string
  readonly written: Written<Document<User>>
}

/** Gives a machine a new secret; the old one ends. */
export async function setMachineSecret(store: Store, call: Call, userId: string): Promise<SetSecret> {
  await checkCovered(store, call, userId)
  const secret = Buffer.from(newSecret()).toString('base64url')
  const hash = hashSecret(secret)
  const written = await store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    await work.decide(machineSecrets, userId, { type: 'set', hash }, owner)
    return work.decide(users, userId, { type: 'set_machine_secret' })
  })
  return { secret, written }
}

/** Takes the secret of a machine away. */
export function removeMachineSecret(store: Store, origin: Origin, userId: string): Promise<Written<Document<User>>> {
  return store.write(origin, async (work) => {
    const user = await work.decide(users, userId, { type: 'remove_machine_secret' })
    await work.decide(machineSecrets, userId, { type: 'remove' })
    return user
  })
}

const CREDENTIALS_AT_ONCE = 1000

/** Removes everything a user could sign in with, together with the user. */
export function removeCredentials(store: Store): WhenRemoved {
  const idsOf = async (kind: typeof personalAccessTokens | typeof machineKeys, userId: string) => {
    const ids: string[] = []
    for (let total = 1; ids.length < total; ) {
      const page = await store.find(kind as typeof machineKeys, {
        where: { field: 'userId', equals: userId },
        limit: CREDENTIALS_AT_ONCE,
        offset: ids.length,
      })
      ids.push(...page.documents.map(({ id }) => id))
      total = page.documents.length === 0 ? 0 : page.total
    }
    return ids
  }

  return async (work, userId) => {
    for (const id of await idsOf(personalAccessTokens, userId)) {
      // Somebody may have removed it since it was found.
      if (await work.read(personalAccessTokens, id)) await work.decide(personalAccessTokens, id, { type: 'remove' })
    }
    for (const id of await idsOf(machineKeys, userId)) {
      if (await work.read(machineKeys, id)) await work.decide(machineKeys, id, { type: 'remove' })
    }
    const secret = await work.read(machineSecrets, userId)
    if (secret?.state.status === 'set') await work.decide(machineSecrets, userId, { type: 'remove' })
  }
}
