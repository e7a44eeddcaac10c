/** The WebKeyService: creates, activates, removes and lists the keys that sign tokens. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  ECDSACurve,
  RSABits,
  RSAHasher,
  State,
  type WebKeySchema,
} from '../../../contract/gen/signet/webkey/v2/key_pb.ts'
import { type CreateWebKeyRequest, WebKeyService } from '../../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { DEFAULT_KEY_TYPE, type WebKeyType } from '../../kernel/web-key-type.ts'
import type { App } from '../../module/app.ts'
import { findKey, type WebKey } from './decider.ts'
import { findWebKeys, webKeys } from './documents.ts'
import { addWebKey, ensureWebKeys } from './handlers/add-key.ts'

const BITS = { 2048: RSABits.RSA_BITS_2048, 3072: RSABits.RSA_BITS_3072, 4096: RSABits.RSA_BITS_4096 } as const
const HASHERS = {
  sha256: RSAHasher.RSA_HASHER_SHA256,
  sha384: RSAHasher.RSA_HASHER_SHA384,
  sha512: RSAHasher.RSA_HASHER_SHA512,
} as const
const CURVES = {
  'P-256': ECDSACurve.ECDSA_CURVE_P256,
  'P-384': ECDSACurve.ECDSA_CURVE_P384,
  'P-521': ECDSACurve.ECDSA_CURVE_P512,
} as const
const STATES = { initial: State.INITIAL, active: State.ACTIVE, inactive: State.INACTIVE } as const

/** The key of a table that has this value. The limits of the contract allow only values that are in the tables. */
function nameOf<Name extends string | number>(table: Readonly<Record<Name, number>>, value: number): Name {
  const [name] = (Object.keys(table) as Name[]).filter((one) => table[one] === value)
  if (name === undefined) throw new Error(`the contract allows a value that has no name: ${value}`)
  return name
}

function keyTypeOf({ key }: CreateWebKeyRequest): WebKeyType {
  switch (key.case) {
    case 'rsa': {
      // The names of members are texts, also those of numbers.
      const bits = Number(nameOf(BITS, key.value.bits)) as keyof typeof BITS
      return { type: 'rsa', bits, hash: nameOf(HASHERS, key.value.hasher) }
    }
    case 'ecdsa':
      return { type: 'ecdsa', curve: nameOf(CURVES, key.value.curve) }
    case 'ed25519':
      return { type: 'ed25519' }
    case undefined:
      return DEFAULT_KEY_TYPE
  }
}

function typeMessage(keyType: WebKeyType): NonNullable<MessageInitShape<typeof WebKeySchema>['key']> {
  switch (keyType.type) {
    case 'rsa':
      return { case: 'rsa', value: { bits: BITS[keyType.bits], hasher: HASHERS[keyType.hash] } }
    case 'ecdsa':
      return { case: 'ecdsa', value: { curve: CURVES[keyType.curve] } }
    case 'ed25519':
      return { case: 'ed25519', value: {} }
  }
}

function keyMessage({ keyId, keyType, status, addedAt, changedAt }: WebKey): MessageInitShape<typeof WebKeySchema> {
  return {
    id: keyId,
    creationDate: timestampFromMs(addedAt),
    changeDate: timestampFromMs(changedAt),
    state: STATES[status],
    key: typeMessage(keyType),
  }
}

/** The methods of this module. */
export function webKeyMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  return methods(WebKeyService, {
    async createWebKey(message, { origin }) {
      await ensureWebKeys(app)
      const { value, at } = await addWebKey(app, origin, keyTypeOf(message))
      return { id: value, creationDate: timestampFromMs(at) }
    },
    async activateWebKey({ id: keyId }, { origin }) {
      await ensureWebKeys(app)
      const { value } = await store.write(origin, (work) =>
        work.decide(webKeys, instanceId, { type: 'activate', keyId, at: work.origin.at, isRotation: false }),
      )
      return { changeDate: timestampFromMs(findKey(value.state, keyId)?.changedAt ?? value.changedAt) }
    },
    async deleteWebKey({ id: keyId }, { origin }) {
      await ensureWebKeys(app)
      const { value, at } = await store.write(origin, async (work) => {
        const before = await work.get(webKeys, instanceId)
        await work.decide(webKeys, instanceId, { type: 'remove', keyId })
        return before !== undefined && findKey(before.state, keyId) !== undefined
      })
      return value ? { deletionDate: timestampFromMs(at) } : {}
    },
    async listWebKeys() {
      return { webKeys: (await findWebKeys(app))?.state.keys.map(keyMessage) ?? [] }
    },
  })
}
