/**
 * Converts tokens and keys to messages of the v1 and v2 services, without their secrets, and reads expiration dates.
 */
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { KeyType } from '../../../contract/gen/signet/authn/v1/key_pb.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import { instantOf } from '../../module/instants.ts'
import type { Document } from '../../store/index.ts'
import { lastUseOf } from './credential-uses.ts'
import type { MachineKey, PersonalAccessToken } from './decider.ts'
import { NEVER } from './documents.ts'
import { machineRefusals } from './refusals.ts'

/**
 * Reads the field `expirationDate`. If it is not set, the credential never expires. Refuses a date in the past and
 * names the field.
 */
export function expirationOf(date: Timestamp | undefined, at: Instant): Instant {
  if (date === undefined) return NEVER
  const expiresAt = instantOf(date)
  const refuse = (code: 'machine.expiration_past' | 'machine.expiration_invalid', description: string) =>
    refused(machineRefusals, code, { violations: [{ field: 'expirationDate', description }] })
  if (expiresAt <= at) throw refuse('machine.expiration_past', 'must be in the future')
  if (expiresAt >= NEVER + 1000) throw refuse('machine.expiration_invalid', 'must be before the year 10000')
  return expiresAt
}

type Credential = Document<PersonalAccessToken | MachineKey>

function expirationDateOf({ state }: Credential) {
  return state.status === 'active' ? { expirationDate: timestampFromMs(state.expiresAt) } : {}
}

/** A token in the v1 service. */
export function tokenV1(token: Document<PersonalAccessToken>) {
  return {
    id: token.id,
    details: detailsV1(token),
    ...expirationDateOf(token),
  }
}

/** A key in the v1 service. */
export function keyV1(key: Document<MachineKey>) {
  return {
    id: key.id,
    details: detailsV1(key),
    type: KeyType.JSON,
    ...expirationDateOf(key),
  }
}

/** A token or a key in the v2 service, with the time of its last use. Both have the same fields. */
export async function credentialV2(app: App, type: 'token' | 'key', credential: Credential) {
  const usedAt = await lastUseOf(app, { type, id: credential.id })
  return {
    creationDate: timestampFromMs(credential.createdAt),
    changeDate: timestampFromMs(credential.changedAt),
    id: credential.id,
    userId: credential.state.status === 'active' ? credential.state.userId : '',
    organizationId: credential.owner,
    name: (credential.state.status === 'active' && credential.state.name) || '',
    ...expirationDateOf(credential),
    ...(usedAt !== undefined && { lastUsedDate: timestampFromMs(usedAt) }),
  }
}
