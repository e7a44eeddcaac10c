/** Adds keys that users registered at another product. */

import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { Passkey } from '../decider.ts'
import { passkeys } from '../documents.ts'
import type { KeyUse } from '../events.ts'
import { keysOf } from '../find-keys.ts'
import { relyingPartyOf, rpIdFor } from '../relying-party.ts'
import { checkImportedCredential } from '../webauthn/verify-credential.ts'
import { checkName } from './change-key.ts'

const NO_AAGUID = '00000000-0000-0000-0000-000000000000'

export interface ImportedPasskey {
  readonly id: string
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly use: KeyUse
  readonly rpId: string
  readonly name: string
  /** base64url. */
  readonly credentialId: string
  /** COSE_Key in base64url. */
  readonly publicKey: string
  readonly signCount: number
  readonly aaguid?: string
  readonly transports?: readonly string[]
  /** Not set: it is learned at the first use. */
  readonly isBackupEligible?: boolean
  /** What the authenticator keeps as the user, base64url; if not set, it follows from the ID of the user. */
  readonly userHandle?: string
  /** As the authenticator last said. */
  readonly isBackedUp?: boolean
  readonly usedAt?: Instant
}

/** Adds a key to a user that was added in the same write. */
export async function importPasskey(work: Work, key: ImportedPasskey): Promise<Document<Passkey>> {
  const { id, owner, aaguid = NO_AAGUID, transports = [], isBackupEligible, userHandle, usedAt, ...rest } = key
  checkName(rest.name, 'name')
  await checkImportedCredential(rest.credentialId, rest.publicKey)
  const known = {
    ...(isBackupEligible !== undefined && { isBackupEligible }),
    ...(userHandle !== undefined && { userHandle }),
    ...(usedAt !== undefined && { usedAt }),
  }
  const command = { type: 'bring', isBackedUp: false, ...rest, aaguid, transports, ...known } as const
  return work.decide(passkeys, id, command, owner)
}

/** Whether pages of this server can use keys of a domain. */
export function canUseKeysOf(app: App, rpId: string): boolean {
  return rpIdFor(relyingPartyOf(app), rpId) === rpId
}

/** The keys of a user that another product does not have any more are removed, as part of a write. Answers those that are there. */
export async function keepKeys(
  app: App,
  work: Work,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = (await keysOf(app, userId)).map(({ id }) => id)
  for (const id of known) {
    if (!ids.includes(id) && (await work.get(passkeys, id))) await work.decide(passkeys, id, { type: 'remove' })
  }
  return new Set(known)
}
