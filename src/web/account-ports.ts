/** What the pages of one's own account need of the rooms. Whether the person is signed in, and lately, is asked before. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { Asked, Client, Failure, Person } from '../features/sign-in/person.ts'
import type { OfferedProvider } from './external-ports.ts'
import type { FlawedPassword } from './ports.ts'

export type KeyUse = 'passkey' | 'second_factor'

export interface OwnSession {
  readonly id: string
  readonly description: string
  readonly since: number
  readonly expiresAt: number
  /** Whether it is the one of this browser. */
  readonly isThis: boolean
}

export interface OwnKey {
  readonly id: string
  readonly use: KeyUse
  readonly name: string
  readonly addedAt: number
}

/** An account elsewhere with which a person signs in. */
export interface OwnLink {
  readonly idpId: string
  readonly externalUserId: string
  /** Undefined: the provider is there no more. */
  readonly providerName: string | undefined
  /** What the account is called there. */
  readonly accountName: string
  /** Whether one can sign in with it now. */
  readonly isUsable: boolean
  readonly addedAt: number
}

/** What password managers are told: which passkeys of a person count. All in base64url. */
export interface AcceptedKeys {
  readonly rpId: string
  readonly userId: string
  readonly accepted: readonly string[]
}

export interface Account {
  readonly email: string
  readonly sessions: readonly OwnSession[]
  readonly keys: readonly OwnKey[]
  readonly hasTotp: boolean
  /** A medium without a verified address cannot be switched on. */
  readonly otp: Readonly<Record<'email' | 'sms', { readonly isOn: boolean; readonly target: string | undefined }>>
  readonly recoveryCodesLeft: number
  readonly hasPassword: boolean
  readonly links: readonly OwnLink[]
  /** Where accounts can be linked. */
  readonly linkable: readonly OfferedProvider[]
  /** For each domain on which the person has passkeys. */
  readonly acceptedKeys: readonly AcceptedKeys[]
}

type Done = { readonly outcome: 'done' } | Failure

export interface AccountPort {
  read(person: Person): Promise<Account>
  /** Ends one of the person's sessions; ends all but this one when none is named. */
  endSessions(person: Person, sessionId: string | undefined): Promise<Done>
  startKey(
    person: Person,
    use: KeyUse,
    client: Client,
  ): Promise<(Asked & { readonly keyId: string }) | Failure | { readonly outcome: 'unavailable' }>
  finishKey(
    person: Person,
    given: { readonly use: KeyUse; readonly keyId: string; readonly credential: JsonObject; readonly name: string },
  ): Promise<Done>
  renameKey(
    person: Person,
    given: { readonly use: KeyUse; readonly keyId: string; readonly name: string },
  ): Promise<Done>
  /** Answers which passkey is gone, and what is left on its domain. */
  removeKey(
    person: Person,
    given: { readonly use: KeyUse; readonly keyId: string },
  ): Promise<{ readonly outcome: 'done'; readonly signal?: AcceptedKeys & { readonly removed: string } } | Failure>
  /** Ends a link; refused when it is the last way in. */
  removeLink(person: Person, link: Pick<OwnLink, 'idpId' | 'externalUserId'>): Promise<Done>
  /** Makes a secret for an authenticator app. */
  startTotp(
    person: Person,
  ): Promise<{ readonly outcome: 'done'; readonly uri: string; readonly secret: string } | Failure>
  finishTotp(person: Person, code: string): Promise<Done>
  removeTotp(person: Person): Promise<Done>
  setOtp(person: Person, medium: 'email' | 'sms', isOn: boolean): Promise<Done>
  /** Makes a new set; the one before ends. */
  makeRecoveryCodes(person: Person): Promise<{ readonly outcome: 'done'; readonly codes: readonly string[] } | Failure>
  /** `current` is not looked at when the person has none. */
  changePassword(
    person: Person,
    given: { readonly current: string; readonly password: string },
  ): Promise<Done | FlawedPassword>
}

/** For those who hold a code and are not signed in. */
export interface KeyLinkPort {
  startByLink(given: {
    readonly userId: string
    readonly codeId: string
    readonly code: string
    readonly client: Client
  }): Promise<(Asked & { readonly keyId: string }) | Failure | { readonly outcome: 'unavailable' }>
  finishByLink(given: {
    readonly userId: string
    readonly keyId: string
    readonly credential: JsonObject
    readonly name: string
  }): Promise<Done>
  /** The first administrator's, with the one-time link of the first start. */
  startBySetUp(given: {
    readonly userId: string
    readonly code: string
    readonly client: Client
  }): Promise<(Asked & { readonly keyId: string }) | Failure | { readonly outcome: 'unavailable' }>
  finishBySetUp(given: {
    readonly userId: string
    readonly code: string
    readonly keyId: string
    readonly credential: JsonObject
    readonly name: string
  }): Promise<{ readonly outcome: 'done'; readonly userName: string } | Failure>
}
