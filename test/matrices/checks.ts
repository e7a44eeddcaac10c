/** Checks of sessions as the matrices make them. */
import type { JsonObject } from '@bufbuild/protobuf'
import { v2 } from '../support/session-world.ts'
import type { Node, Scene } from './scene.ts'

/** What can be shown in a session. */
export type Checks = {
  readonly [Check in 'totp' | 'otpSms' | 'otpEmail' | 'recoveryCode']?: { code: string }
} & { readonly webAuthN?: { credentialAssertionData: JsonObject } }

/** The login client may change sessions without their token: what is tested is the check alone. */
export function setChecks({ login }: Scene, { call }: Node, sessionId: string, checks: Checks) {
  return call(v2.setSession, { sessionId, checks }, login)
}
