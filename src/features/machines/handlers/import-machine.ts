/** Adds machine users that another product had, and their credentials. */
import { readPublicKey } from '../../../crypto/machine-key.ts'
import { passwordRefusals } from '../../../crypto/passwords/index.ts'
import { hashSecret, isSecretHash } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { addMachineTo, checkNewMachine, type MachineProfile, type User, users } from '../../users/index.ts'
import { keyUses, tokenUses } from '../credential-uses.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from '../documents.ts'
import { machineRefusals } from '../refusals.ts'
import { changeMachineIn } from './add-machine.ts'

export interface ImportedMachine {
  readonly userId: string
  readonly organizationId: string
  readonly machine: MachineProfile & { readonly userName: string; readonly nameSince?: Instant | undefined }
}

/** Adds a machine user as part of a write. */
export function importMachine(
  app: App,
  work: Work,
  { userId, organizationId, machine }: ImportedMachine,
): Promise<Document<User>> {
  const { nameSince, ...name } = machine
  checkNewMachine({ userId, ...name }, { userName: 'userName', prefix: '' })
  return addMachineTo(app, work, {
    userId,
    organizationId,
    command: { type: 'add_machine', ...name, ...(nameSince !== undefined && { nameSince }) },
  })
}

type Owner = Pick<ImportedMachine, 'userId' | 'organizationId'>

/** A credential that ends, with the ID that it had. */
export interface ImportedCredential {
  readonly id: string
  readonly expiresAt: Instant
  /** What it is for. */
  readonly name?: string
  /** Of one in an export: it is kept even if it has expired since. */
  readonly issuedAt?: Instant
  /** When it was last used, to the day. */
  readonly usedAt?: Instant
}

/** Adds a public key to a machine user that was added in the same write. */
export async function importMachineKey(
  work: Work,
  { userId, organizationId }: Owner,
  { id, publicKey: given, ...key }: ImportedCredential & { readonly publicKey: string },
): Promise<void> {
  const publicKey = readPublicKey(Buffer.from(given))
  if (publicKey === undefined) throw refused(machineRefusals, 'machine.public_key_invalid')
  const { expiresAt, name = '', issuedAt: at = work.origin.at, usedAt } = key
  await work.decide(machineKeys, id, { type: 'add', userId, expiresAt, publicKey, name, at }, organizationId)
  if (usedAt !== undefined) await work.decide(keyUses, id, { usedAt }, organizationId)
}

/** Adds a token by its hash. If only the ID is known, it is recognized by the key of the product that issued it. */
export async function importToken(
  work: Work,
  { userId, organizationId }: Owner,
  { id, expiresAt, hash, ...token }: ImportedCredential & { readonly hash?: string },
): Promise<void> {
  const { name = '', issuedAt: at = work.origin.at, usedAt } = token
  if (hash !== undefined && !isSecretHash(hash)) throw refused(machineRefusals, 'machine.token_not_found')
  const held = { userId, expiresAt, at }
  const command =
    hash === undefined ? ({ type: 'bring', ...held } as const) : ({ type: 'add', hash, name, ...held } as const)
  await work.decide(personalAccessTokens, id, command, organizationId)
  if (usedAt !== undefined) await work.decide(tokenUses, id, { usedAt }, organizationId)
}

/** Sets the secret of a machine user, in the clear or as a hash. That of another product is replaced at the first use. */
export async function importMachineSecret(
  app: App,
  work: Work,
  { userId, organizationId }: Owner,
  secret: { readonly plain: string } | { readonly hash: string },
): Promise<void> {
  const flaw = 'hash' in secret && !isSecretHash(secret.hash) ? app.hashing.checkSecret(secret.hash) : undefined
  if (flaw !== undefined) throw refused(passwordRefusals, flaw.code, { reason: flaw.description })
  const hash = 'hash' in secret ? secret.hash : hashSecret(secret.plain)
  await work.decide(machineSecrets, userId, { type: 'set', hash }, organizationId)
  await work.decide(users, userId, { type: 'set_machine_secret' })
}

/** Changes a machine user to what another product has now, as part of a write. */
export async function followMachine(app: App, work: Work, { userId, machine }: ImportedMachine): Promise<void> {
  checkNewMachine(machine, { userName: 'userName', prefix: '' })
  await changeMachineIn(app, work, userId, machine)
}

/**
 * Removes the keys or tokens of a machine user that another product does not have any more, as part of a write. Answers those
 * that are there.
 */
export async function keepCredentials(
  app: App,
  work: Work,
  userId: string,
  type: 'keys' | 'tokens',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Both kinds have the same fields and the same command.
  const kind = (type === 'keys' ? machineKeys : personalAccessTokens) as typeof machineKeys
  const known = await app.store.findIds(kind, { field: 'userId', equals: userId })
  for (const id of known) {
    if (!ids.includes(id) && (await work.get(kind, id))) await work.decide(kind, id, { type: 'remove' })
  }
  return new Set(known)
}

/** Gives a machine user the secret that they have in another product now, or none, as part of a write. */
export async function followMachineSecret(
  app: App,
  work: Work,
  owner: Owner,
  secret: { readonly plain: string } | { readonly hash: string } | undefined,
): Promise<void> {
  const { userId } = owner
  const known = (await work.get(machineSecrets, userId))?.state
  if (secret === undefined) {
    if (known?.status !== 'set') return
    await work.decide(users, userId, { type: 'remove_machine_secret' })
    await work.decide(machineSecrets, userId, { type: 'remove' })
    return
  }
  const hash = 'hash' in secret ? secret.hash : hashSecret(secret.plain)
  if (known?.status !== 'set' || known.secret.hash !== hash) await importMachineSecret(app, work, owner, secret)
}
