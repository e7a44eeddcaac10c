/** Documents of tokens and keys in the words of the v1 and v2 services. What is secret in them stays here. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { KeyType } from '../../../contract/gen/signet/authn/v1/key_pb.ts'
import { detailsV1 } from '../../access/details.ts'
import type { Document } from '../../store/index.ts'
import type { MachineKey, PersonalAccessToken } from './decider.ts'

type Credential = Document<PersonalAccessToken | MachineKey>

function expirationDateOf({ state }: Credential) {
  return state.status === 'active' ? { expirationDate: timestampFromMs(state.expiresAt) } : {}
}

/** A token as the v1 service shows it. */
export function tokenV1(token: Document<PersonalAccessToken>) {
  return {
    id: token.id,
    details: detailsV1(token),
    ...expirationDateOf(token),
  }
}

/** A key as the v1 service shows it. */
export function keyV1(key: Document<MachineKey>) {
  return {
    id: key.id,
    details: detailsV1(key),
    type: KeyType.JSON,
    ...expirationDateOf(key),
  }
}

/** A token or a key as the v2 service shows it: the same members for both. */
export function credentialV2(credential: Credential) {
  return {
    creationDate: timestampFromMs(credential.createdAt),
    changeDate: timestampFromMs(credential.changedAt),
    id: credential.id,
    userId: credential.state.status === 'active' ? credential.state.userId : '',
    organizationId: credential.owner,
    ...expirationDateOf(credential),
  }
}
