/** Targets and public keys as messages of the contract. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, durationFromMs, durationMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { UpdateTargetRequest } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import {
  PayloadType as PayloadTypes,
  type PublicKeySchema,
  SignatureType as SignatureTypes,
  type TargetSchema,
} from '../../../contract/gen/signet/action/v2/target_pb.ts'
import type { Document } from '../../store/index.ts'
import type { LivingTarget, TargetPublicKey } from './decider.ts'
import type { PayloadType, SignatureType, TargetSettings } from './events.ts'

const PAYLOADS = { json: PayloadTypes.JSON, jwt: PayloadTypes.JWT, jwe: PayloadTypes.JWE } as const
const SIGNATURES = { zitadel: SignatureTypes.ZITADEL, standard_webhooks: SignatureTypes.STANDARD_WEBHOOKS } as const

function nameOf<Name extends string>(table: Readonly<Record<Name, number>>, value: number): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name] === value)
}

/** Undefined when it is not set. */
export function payloadTypeOf(value: PayloadTypes): PayloadType | undefined {
  return nameOf(PAYLOADS, value)
}

/** Undefined when it is not set. */
export function signatureTypeOf(value: SignatureTypes): SignatureType | undefined {
  return nameOf(SIGNATURES, value)
}

/** The kind of target that a request asks for; nothing when it is not set. */
export function typeOf({ targetType }: Pick<UpdateTargetRequest, 'targetType'>): Partial<TargetSettings> {
  switch (targetType.case) {
    case 'restWebhook':
      return { type: 'webhook', interruptOnError: targetType.value.interruptOnError }
    case 'restCall':
      return { type: 'call', interruptOnError: targetType.value.interruptOnError }
    case 'restAsync':
      return { type: 'async', interruptOnError: false }
    case undefined:
      return {}
  }
}

/** A duration in whole milliseconds, at least one. */
export function millisecondsOf(duration: Duration): number {
  return Math.max(1, Math.round(durationMs(duration)))
}

type TypeMessage = NonNullable<MessageInitShape<typeof TargetSchema>['targetType']>

function typeMessage({ type, interruptOnError }: LivingTarget): TypeMessage {
  switch (type) {
    case 'webhook':
      return { case: 'restWebhook', value: { interruptOnError } }
    case 'call':
      return { case: 'restCall', value: { interruptOnError } }
    case 'async':
      return { case: 'restAsync', value: {} }
  }
}

/** A target; `signingKey` is empty for callers who must not know it. */
export function targetMessage(
  { id, state, createdAt, changedAt }: Document<LivingTarget>,
  signingKey: string,
): MessageInitShape<typeof TargetSchema> {
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    name: state.name,
    targetType: typeMessage(state),
    timeout: durationFromMs(state.timeoutMs),
    endpoint: state.endpoint,
    signingKey,
    payloadType: PAYLOADS[state.payloadType],
    // Left out where it is the peer's: its clients do not know the field.
    ...(state.signatureType !== 'zitadel' && { signatureType: SIGNATURES[state.signatureType] }),
  }
}

export function publicKeyMessage(key: TargetPublicKey): MessageInitShape<typeof PublicKeySchema> {
  return {
    keyId: key.keyId,
    active: key.isActive,
    publicKey: Buffer.from(key.publicKey),
    fingerprint: key.fingerprint,
    ...(key.expiresAt !== undefined && { expirationDate: timestampFromMs(key.expiresAt) }),
    creationDate: timestampFromMs(key.addedAt),
    changeDate: timestampFromMs(key.changedAt),
  }
}
