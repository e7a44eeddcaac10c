/** What the pages for signing in need of the rooms. A browser is known by the token of its session, which each step renews. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { ForeignProof } from './external-ports.ts'

/**
 * Why a step did not succeed. `refused`: wrong, used, expired, or of somebody who cannot sign in; nobody learns which.
 * `gone`: there is no such session any more. `throttled`: not even looked at.
 */
export type Failure =
  | { readonly outcome: 'refused' | 'busy' | 'gone' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }

/** A token that the browser keeps in place of the one before. */
export interface Renewed {
  readonly outcome: 'done'
  readonly token: string
  readonly expiresAt: number
}

/** What the browser's passkey dialogue is opened with. */
export interface Asked {
  readonly outcome: 'asked'
  readonly publicKey: JsonObject
}

export type SecondFactor = 'totp' | 'u2f' | 'otp_email' | 'otp_sms' | 'recovery_code'

/** What has to come before the person is signed in; `none`: they are. */
export type Step = 'second_factor' | 'set_up_second_factor' | 'change_password' | 'none'

/** The person of a session who has shown a first factor. */
export interface Person {
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
  readonly userName: string
  readonly displayName: string
  readonly step: Step
  /** Whether the first factor was shown so lately that ways to sign in may be added. */
  readonly isFresh: boolean
  /** The second factors that the person has and the organization allows. */
  readonly factors: readonly SecondFactor[]
  /** Those of them whose code was sent and is still good. */
  readonly sent: readonly SecondFactor[]
  /** What a person without a second factor may set up. */
  readonly offered: readonly SecondFactor[]
  readonly hasPassword: boolean
  /** With what the person can show once more that it is them. */
  readonly provesWith: readonly ('password' | 'passkey')[]
  /** Where people of the organization go after signing in; empty: nowhere in particular. */
  readonly redirectUri: string
}

/** What holds before anybody is known. */
export interface SignInRules {
  readonly allowsPassword: boolean
  readonly allowsPasskeys: boolean
  readonly hidesPasswordReset: boolean
}

/** What a person shows. */
export type Proof =
  | { readonly password: string }
  | { readonly credential: JsonObject }
  | { readonly factor: Exclude<SecondFactor, 'u2f'>; readonly code: string }

/** The browser at the other end. */
export interface Client {
  /** The host that it asked for. */
  readonly host: string
  /** In words for its owner. */
  readonly description: string
}

export interface SignInPort {
  /** The rules of an organization, if there is one of this id, else those of the instance. */
  rules(organizationId: string | undefined): Promise<SignInRules>
  /** Whose session it is; undefined while nobody has shown a first factor, and when the session is no more. */
  find(token: string): Promise<Person | undefined>
  /** Begins a session with user name and password; the one that the browser had ends. */
  signIn(given: {
    readonly userName: string
    readonly password: string
    readonly client: Client
    readonly before: string | undefined
  }): Promise<Renewed | Failure>
  /**
   * The same with a sign-in elsewhere, which is used up. A session that is this person's goes on; another one ends.
   */
  signInElsewhere(given: {
    readonly proof: ForeignProof
    readonly userId: string
    readonly client: Client
    readonly before: string | undefined
  }): Promise<Renewed | Failure>
  /**
   * Asks for a key: of the person of the session, or for a passkey of anybody. `unavailable`: there is none, or keys
   * cannot be used at this address.
   */
  askForKey(given: {
    readonly use: 'passkey' | 'second_factor'
    readonly token: string | undefined
    readonly isOfAnybody: boolean
    readonly client: Client
  }): Promise<(Asked & Omit<Renewed, 'outcome'>) | Failure | { readonly outcome: 'unavailable' }>
  /** Shows something for the session. */
  show(token: string, proof: Proof): Promise<Renewed | Failure>
  /** Sends a code to the person of the session. */
  send(token: string, factor: 'otp_email' | 'otp_sms'): Promise<Renewed | Failure>
  /** Ends the session. */
  signOut(token: string): Promise<void>
}
