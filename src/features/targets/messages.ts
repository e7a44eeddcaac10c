/** Targets and public keys as messages of the contract. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { UpdateTargetRequest } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import {
  PayloadType,
  type PublicKey,
  SignatureType,
  type Target,
  type TargetSchema,
} from '../../../contract/gen/signet/action/v2/target_pb.ts'
import { type Codec, duration, mapped, same, utf8, when, words } from '../../module/mapped.ts'
import type { Document } from '../../store/index.ts'
import type { LivingTarget, TargetPublicKey } from './decider.ts'
import type { TargetSettings } from './events.ts'

type Told = 'id' | 'creationDate' | 'changeDate' | 'targetType' | 'signingKey'

/** In whole milliseconds, at least one. */
const timeout: Codec<number, Duration> = { ...duration, read: (given) => Math.max(1, Math.round(duration.read(given))) }

const settings = mapped<Omit<TargetSettings, 'type' | 'interruptOnError'>, Target, Told>()({
  name: ['name', same],
  endpoint: ['endpoint', same],
  timeoutMs: ['timeout', timeout],
  payloadType: ['payloadType', words({ json: PayloadType.JSON, jwt: PayloadType.JWT, jwe: PayloadType.JWE })],
  signatureType: [
    'signatureType',
    words({ zitadel: SignatureType.ZITADEL, standard_webhooks: SignatureType.STANDARD_WEBHOOKS }),
  ],
})

/** What a request says of a target; nothing of what is not set. */
export function settingsOf({
  payloadType,
  signatureType,
  ...given
}: Parameters<typeof settings.read>[0] & Pick<UpdateTargetRequest, 'targetType'>): Partial<TargetSettings> {
  const chosen = { ...(payloadType && { payloadType }), ...(signatureType && { signatureType }) }
  return { ...settings.read({ ...given, ...chosen }), ...typeOf(given) }
}

/** The kind of target that a request asks for; nothing when it is not set. */
function typeOf({ targetType }: Pick<UpdateTargetRequest, 'targetType'>): Partial<TargetSettings> {
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
  const { signatureType, ...shown } = settings.show(state)
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    ...shown,
    targetType: typeMessage(state),
    signingKey,
    // Left out where it is the peer's: its clients do not know the field.
    ...(state.signatureType !== 'zitadel' && { signatureType }),
  }
}

export const publicKeyMessage = mapped<TargetPublicKey, PublicKey>()({
  keyId: ['keyId', same],
  isActive: ['active', same],
  publicKey: ['publicKey', utf8],
  fingerprint: ['fingerprint', same],
  expiresAt: ['expirationDate', when],
  addedAt: ['creationDate', when],
  changedAt: ['changeDate', when],
})
