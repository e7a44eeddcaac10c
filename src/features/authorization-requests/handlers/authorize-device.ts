/** The device flow (RFC 8628): starts it, finds it by the code that the user types, approves or denies it. */

import { hashSecret } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { openGrant } from '../../grants/index.ts'
import type { StartedDevice } from '../decider.ts'
import { deviceAuthorizations, USER_CODE_CLAIM } from '../documents.ts'
import { authorizationRequestRefusals } from '../refusals.ts'
import { approvedGrant } from './approve-request.ts'

/** The stored form of a user code: without dash, in capitals. */
function canonicalUserCode(typed: string): string {
  return typed.replace(/[^A-Za-z]/g, '').toUpperCase()
}

export interface NewDevice {
  readonly clientId: string
  readonly scope: string
  readonly payload: JsonObject
  readonly userCode: string
  readonly startedAt: Instant
  readonly expiresAt: Instant
}

/** The id of the document: a hash of the device code, which is not stored. */
export function deviceIdOf(deviceCode: string): string {
  return hashSecret(deviceCode)
}

/** Stores a device that waits for approval. */
export async function startDevice(app: App, origin: Origin, deviceCode: string, device: NewDevice): Promise<void> {
  const { userCode, ...rest } = device
  const id = deviceIdOf(deviceCode)
  const secret = { hash: id, userCodeHash: hashSecret(canonicalUserCode(userCode)) }
  const command = { type: 'start', ...rest, secret } as const
  await app.store.write(origin, (work) => work.begin(deviceAuthorizations, id, command, app.instanceId))
}

/** A device by its id. */
export async function findDevice(app: App, id: string): Promise<Document<StartedDevice> | undefined> {
  const device = await app.store.get(deviceAuthorizations, id)
  const state = device?.state
  return device === undefined || state === undefined || state.status === 'unknown' ? undefined : { ...device, state }
}

/** The device whose user code was typed, if it still waits; throws `device_authorization.not_found`. */
export async function requireDeviceByUserCode(app: App, typed: string, at: Instant): Promise<Document<StartedDevice>> {
  const id = await app.store.findClaimHolder(USER_CODE_CLAIM, hashSecret(canonicalUserCode(typed)))
  const device = id === undefined ? undefined : await findDevice(app, id)
  if (device?.state.status !== 'pending' || at >= device.state.expiresAt) {
    throw refused(authorizationRequestRefusals, 'device_authorization.not_found')
  }
  return device
}

/** A device that waits for approval; throws when there is none, or when it was answered before. */
export async function requirePendingDevice(work: Work, id: string): Promise<StartedDevice> {
  const state = (await work.get(deviceAuthorizations, id))?.state
  if (state === undefined || state.status === 'unknown' || work.origin.at >= state.expiresAt) {
    throw refused(authorizationRequestRefusals, 'device_authorization.not_found')
  }
  if (state.status !== 'pending') throw refused(authorizationRequestRefusals, 'device_authorization.finished')
  return state
}

/** Gives a device access with the session of the user; `work` is the write of the caller. */
export async function approveDevice(app: App, work: Work, id: string, sessionId: string): Promise<void> {
  const { at } = work.origin
  const { clientId, scope, secret } = await requirePendingDevice(work, id)
  const { payload } = secret
  const claims = typeof payload.claims === 'string' ? payload.claims : undefined
  const resource = typeof payload.resource === 'string' ? payload.resource : undefined
  const subject = await approvedGrant(app, work, { clientId, scope, claims, resource }, sessionId, at)
  const grantId = app.newId()
  await work.decide(deviceAuthorizations, id, { type: 'approve', grantId, userId: subject.userId, at })
  await openGrant(app, work, grantId, subject)
}

/** Refuses a device. One that was denied before stays so. */
export async function denyDevice(work: Work, id: string): Promise<void> {
  if ((await work.get(deviceAuthorizations, id))?.state.status === 'denied') return
  await work.decide(deviceAuthorizations, id, { type: 'deny', at: work.origin.at })
}

/** Redeems a device code in the write that stores its tokens; throws for all but the first. */
export async function redeemDevice(work: Work, id: string): Promise<void> {
  await work.decide(deviceAuthorizations, id, { type: 'redeem' })
}
