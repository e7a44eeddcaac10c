/** Adds personal access tokens, keys and secrets to machine users. */

import type { Call } from '../../../access/call.ts'
import { formatMachineKeyFile, newMachineKeyPair, readPublicKey } from '../../../crypto/machine-key.ts'
import { hashSecret, newPersonalAccessToken, newSecret } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Written } from '../../../store/index.ts'
import { readActiveMachine, type User, users } from '../../users/index.ts'
import type { MachineKey, PersonalAccessToken } from '../decider.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from '../documents.ts'
import { machineRefusals } from '../refusals.ts'

export interface AddedToken {
  readonly tokenId: string
  /** The token itself. It is shown once and not stored. */
  readonly token: string
  readonly written: Written<Document<PersonalAccessToken>>
}

/** What a token and a key have in common. */
export interface NewCredential {
  readonly expiresAt: Instant
  /** What it is for. */
  readonly name?: string
}

/** Adds a personal access token to a machine user. */
export async function addPersonalAccessToken(
  app: App,
  call: Call,
  userId: string,
  { expiresAt, name = '' }: NewCredential,
): Promise<AddedToken> {
  const { value, ...written } = await app.store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    const tokenId = await work.unusedId(personalAccessTokens, app.newId)
    const { text, hash } = newPersonalAccessToken(tokenId)
    const command = { type: 'add', userId, expiresAt, hash, name: name.trim(), at: call.at } as const
    return { token: await work.decide(personalAccessTokens, tokenId, command, owner), text }
  })
  return { tokenId: value.token.id, token: value.text, written: { ...written, value: value.token } }
}

export interface AddedKey {
  readonly keyId: string
  /** The key file with the private key. It is shown once and not stored. Empty when the caller gave a public key. */
  readonly file: Uint8Array
  readonly written: Written<Document<MachineKey>>
}

function givenPublicKey(bytes: Uint8Array): string {
  const publicKey = readPublicKey(bytes)
  if (publicKey !== undefined) return publicKey
  const violations = [
    {
      field: 'publicKey',
      description: 'must be a public key in PEM: RSA with 2048 to 8192 bits, the curve P-256, or Ed25519',
    },
  ]
  throw refused(machineRefusals, 'machine.public_key_invalid', { violations })
}

/** Adds a key to a machine user: the public key of the caller or, if that is empty, a new key pair. */
export async function addMachineKey(
  app: App,
  call: Call,
  userId: string,
  { expiresAt, name = '' }: NewCredential,
  given: Uint8Array,
): Promise<AddedKey> {
  // Checked here too, because generating a key pair is expensive.
  await readActiveMachine(app.store, userId)
  const pair =
    given.length > 0 ? { publicKey: givenPublicKey(given), privateKey: undefined } : await newMachineKeyPair()
  const { publicKey } = pair
  const command = { type: 'add', userId, expiresAt, publicKey, name: name.trim(), at: call.at } as const
  const written = await app.store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    return work.decide(machineKeys, await work.unusedId(machineKeys, app.newId), command, owner)
  })
  const { id: keyId } = written.value
  const { privateKey } = pair
  const file =
    privateKey === undefined ? new Uint8Array() : formatMachineKeyFile({ keyId, userId, privateKey, expiresAt })
  return { keyId, file, written }
}

export interface SetSecret {
  /** The secret itself. It is shown once and not stored. */
  readonly secret: string
  readonly written: Written<Document<User>>
}

/** Sets a new secret of a machine user and invalidates the old one. */
export async function setMachineSecret(app: App, call: Call, userId: string): Promise<SetSecret> {
  const secret = Buffer.from(newSecret()).toString('base64url')
  const hash = hashSecret(secret)
  const written = await app.store.write(call.origin, async (work) => {
    const { owner } = await readActiveMachine(work, userId)
    await work.decide(machineSecrets, userId, { type: 'set', hash }, owner)
    return work.decide(users, userId, { type: 'set_machine_secret' })
  })
  return { secret, written }
}
