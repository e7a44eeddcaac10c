/** Keeps authorization requests while the user signs in, and requests that were pushed, until they are used once. */

import type { Instant } from '../../../kernel/instant.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import type { WaitingRequest } from '../decider.ts'
import { authorizationRequests, pushedRequests, usedAssertions } from '../documents.ts'

export interface NewRequest {
  readonly clientId: string
  readonly payload: JsonObject
  readonly flowStartedAt: Instant
  readonly loginClientId: string
  readonly expiresAt: Instant
}

/** Stores an authorization request that waits for the user. */
export async function startRequest(app: App, origin: Origin, id: string, request: NewRequest): Promise<void> {
  await app.store.write(origin, (work) =>
    work.begin(authorizationRequests, id, { type: 'start', ...request }, app.instanceId),
  )
}

/** An authorization request that has not expired, also when it was finished; undefined when there is none. */
export async function findRequest(app: App, id: string, at: Instant): Promise<Document<WaitingRequest> | undefined> {
  const request = await app.store.get(authorizationRequests, id)
  const state = request?.state
  if (request === undefined || state === undefined || state.status === 'unknown' || at >= state.expiresAt)
    return undefined
  return { ...request, state }
}

/** Records that the user continues with this session. */
export async function chooseAccount(app: App, origin: Origin, id: string, sessionId: string): Promise<void> {
  await app.store.write(origin, (work) => work.decide(authorizationRequests, id, { type: 'choose_account', sessionId }))
}

/** Records that a user allows what the details of the request ask for. */
export async function allowDetails(app: App, origin: Origin, id: string, userId: string): Promise<void> {
  await app.store.write(origin, (work) => work.decide(authorizationRequests, id, { type: 'allow_details', userId }))
}

/** Records that the user refuses the request; the application learns it when the browser returns. */
export async function denyRequest(app: App, origin: Origin, id: string): Promise<void> {
  await app.store.write(origin, (work) => work.decide(authorizationRequests, id, { type: 'deny' }))
}

/** Ends the wait of an authorization request; throws when it was finished before. */
export async function finishRequest(app: App, origin: Origin, id: string): Promise<void> {
  await app.store.write(origin, (work) =>
    work.decide(authorizationRequests, id, { type: 'finish', outcome: 'continued' }),
  )
}

/** Stores a request that the application pushed (RFC 9126). */
export async function pushRequest(app: App, origin: Origin, id: string, payload: JsonObject, expiresAt: Instant) {
  await app.store.write(origin, (work) =>
    work.decide(pushedRequests, id, { type: 'store', payload, expiresAt }, app.instanceId),
  )
}

/** A pushed request that was not used. */
export async function findPushed(app: App, id: string): Promise<{ payload: JsonObject; isUsed: boolean } | undefined> {
  const state = (await app.store.get(pushedRequests, id))?.state
  return state === undefined || state.status === 'unknown'
    ? undefined
    : { payload: state.secret.payload, isUsed: state.status === 'used' }
}

/** Marks a pushed request as used; throws when it was used before. */
export async function takePushed(app: App, origin: Origin, id: string): Promise<void> {
  await app.store.write(origin, (work) => work.decide(pushedRequests, id, { type: 'use' }))
}

/** Whether an assertion was not used before; marks it as used. Safe against two uses at once, on all nodes. */
export async function takeAssertion(app: App, origin: Origin, id: string, expiresAt: Instant): Promise<boolean> {
  try {
    await app.store.write(origin, (work) => work.decide(usedAssertions, id, { expiresAt }, app.instanceId))
    return true
  } catch (error) {
    if (error instanceof Refused && error.code === 'assertion.used') return false
    throw error
  }
}

/** As above, as part of a write: what follows from the assertion happens together with its mark, or not at all. */
export async function takeAssertionIn(app: App, work: Work, id: string, expiresAt: Instant): Promise<boolean> {
  if ((await work.get(usedAssertions, id)) !== undefined) return false
  await work.decide(usedAssertions, id, { expiresAt }, app.instanceId)
  return true
}
