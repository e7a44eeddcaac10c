/** How passkeys and security keys are carried: by themselves, or as parts of users of other products. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { type Arriving, type BodyOf, type Draft, declare } from '../../module/carried.ts'
import type { Document, Work } from '../../store/index.ts'
import { requireUser } from '../users/index.ts'
import type { Passkey, ReadyPasskey } from './decider.ts'
import { passkeys } from './documents.ts'
import { checkName } from './handlers/change-key.ts'
import { relyingPartyOf, rpIdFor } from './relying-party.ts'
import { checkImportedCredential } from './webauthn/verify-credential.ts'

const NO_AAGUID = '00000000-0000-0000-0000-000000000000'

type Known = Omit<ReadyPasskey, 'status' | 'userId' | 'use' | OftenUnknown>
type OftenUnknown = 'aaguid' | 'transports' | 'isBackedUp'

/** What is not known of a key is learned at its first use. */
export interface PasskeyDraft extends Known, Partial<Pick<ReadyPasskey, OftenUnknown>> {
  readonly id: string
  /** `second-factor`: a security key that is used after the password. */
  readonly use: 'passkey' | 'second-factor'
  readonly createdAt: Instant
}

type OwnPasskeyDraft = Draft<'passkey'> & Omit<PasskeyDraft, 'createdAt' | 'id'> & Pick<ReadyPasskey, 'userId'>

/** A key of a user, as it is added. */
type ImportedPasskey = Omit<ReadyPasskey, 'status' | OftenUnknown> &
  Partial<Pick<ReadyPasskey, OftenUnknown>> & { readonly id: string; readonly owner: string }

/** Adds a key to a user. */
export async function importPasskey(work: Work, { id, owner, ...key }: ImportedPasskey): Promise<Document<Passkey>> {
  checkName(key.name, 'name')
  await checkImportedCredential(key.credentialId, key.publicKey)
  const command = { type: 'bring', isBackedUp: false, aaguid: NO_AAGUID, transports: [], ...key } as const
  return work.decide(passkeys, id, command, owner)
}

/** Whether pages of this server can use keys of a domain. */
function canUseKeysOf(app: App, rpId: string): boolean {
  return rpIdFor(relyingPartyOf(app), rpId) === rpId
}

/** Adds a key to a user, and says so if it cannot be used here. */
export async function putKey(
  { app, work, leave }: Pick<Arriving<unknown>, 'app' | 'work' | 'leave'>,
  name: string,
  { use, ...key }: Omit<ImportedPasskey, 'use'> & Pick<PasskeyDraft, 'use'>,
): Promise<void> {
  await importPasskey(work, { ...key, use: use === 'passkey' ? 'passkey' : 'second_factor' })
  if (canUseKeysOf(app, key.rpId)) return
  leave(`${name} was carried, but works only where the address of this server is ${key.rpId}.`)
}

export const carriedPasskeys = declare(passkeys, {
  as: 'passkey',
  after: ['group-metadata'],
  lives: ['ready'],
  describe: ({ status: _, use, ...key }): BodyOf<OwnPasskeyDraft> => {
    return { ...key, use: use === 'passkey' ? 'passkey' : 'second-factor' }
  },
  async put(arriving, before) {
    const { work, id, draft } = arriving
    if (before !== undefined) return
    await putKey(arriving, 'The passkey', { ...draft, id, owner: await requireUser(work, draft.userId) })
  },
  remove: 'with its holder',
})
