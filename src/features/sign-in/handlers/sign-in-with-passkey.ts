/**
 * Signs in with a passkey before the user is known. The browser keeps the challenge, signed by us; nothing is written
 * until it is answered, and the session that is created then makes it count once (docs/decisions/0035).
 */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../module/app.ts'
import { type AssertionChallenge, requestAssertion } from '../../passkeys/index.ts'
import { anonymousCaller, createSession } from '../../sessions/index.ts'
import { type Asked, type Failure, keyFailureOf, type Renewed, type Unavailable } from '../outcomes.ts'
import { attemptRenewal, type Client, keyDomain, originOf, signOut, userAgentOf } from './continue-session.ts'

/** For what the challenge is signed. */
const PURPOSE = ['passkey sign-in'] as const

/** A challenge that the browser keeps until then. */
export interface AskedPasskey extends Asked {
  readonly challenge: string
  readonly expiresAt: number
}

/** Asks for a passkey of any user. `unavailable`: passkeys cannot be used at this address. */
export async function askForPasskey(app: App, client: Client): Promise<AskedPasskey | Failure | Unavailable> {
  const of = { userId: undefined, rpId: keyDomain(app, client), userVerification: 'required', at: app.clock() } as const
  try {
    const { challenge, options } = await requestAssertion(app, of)
    const signed = await app.vault.sign(PURPOSE, JSON.stringify(challenge))
    const publicKey = options.publicKey as JsonObject
    return { outcome: 'asked', publicKey, challenge: signed, expiresAt: challenge.expiresAt }
  } catch (error) {
    return keyFailureOf(error)
  }
}

/** Begins a session with the passkey that answers a challenge; the session that the browser had ends. */
export async function signInWithPasskey(
  app: App,
  given: {
    /** What the browser kept. */
    readonly challenge: string
    readonly credential: JsonObject
    readonly client: Client
    readonly before: string | undefined
  },
): Promise<Renewed | Failure> {
  const { challenge, credential, client, before } = given
  const text = await app.vault.readSigned(PURPOSE, challenge)
  if (text === undefined) return { outcome: 'refused' }
  const signedIn = await attemptRenewal(() =>
    createSession(app, anonymousCaller(originOf(app)), {
      checks: { webAuthN: credential },
      answers: JSON.parse(text) as AssertionChallenge,
      userAgent: userAgentOf(client),
      requestId: client.requestId,
    }),
  )
  if (signedIn.outcome === 'done' && before !== undefined) await signOut(app, before)
  return signedIn
}
