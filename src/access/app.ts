/**
 * What every module is given: the tools of one process, frozen before the first request. Functions of modules take it as
 * their first parameter, so that going to a definition leads to code.
 */
import type { Logger } from 'pino'
import type { Passwords } from '../crypto/passwords/index.ts'
import type { Place } from '../crypto/seal.ts'
import type { NewId } from '../kernel/id.ts'
import type { Clock } from '../kernel/instant.ts'
import type { AnyKind, Origin, Store, Work } from '../store/index.ts'
import type { Resolve } from './outbound.ts'
import type { GuardedFetch } from './outbound-fetch.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** The part of the configuration that modules read. */
export interface AppConfig {
  /** Origins whose pages may ask for passkeys; undefined: those of the domain that a request names. */
  readonly passkeyOrigins: readonly string[] | undefined
  /** Whether webhooks and providers may be on this machine or in its operator's network. */
  readonly allowsPrivateNetwork: boolean
  /** Where browsers may be sent after a sign-in at an identity provider: anywhere safe, or only below these. */
  readonly allowedRedirects: 'any' | readonly string[]
  /** How long one request may wait for something: less than the port gives it. */
  readonly longestWaitMs: number
  /** How long ended sessions stay in the log. */
  readonly sessionRetentionMs: number
  /** Where the files for the operator are; undefined: nowhere. */
  readonly dataDir: string | undefined
  /** Hash of the key that the page of the development inbox asks for; empty: the page is locked. */
  readonly inboxKeyHash: string
  /** Settings of outgoing mail that only tests change. */
  readonly mailTransport: MailTransportOptions
  /** How long a webhook may take; undefined: the default. */
  readonly webhookTimeoutMs?: number | undefined
}

/** How patient outgoing mail is; each has a default. */
export interface MailTransportOptions {
  /** Whether we may connect to an address; link-local addresses and metadata services are never allowed. */
  readonly isAllowed?: (address: string) => boolean
  readonly resolve?: Resolve
  /** Further certificates to trust, PEM; beside them those that Node trusts, `NODE_EXTRA_CA_CERTS` included. */
  readonly trusted?: string
  readonly connectMilliseconds?: number
  /** For the greeting, and for the handshake of STARTTLS. */
  readonly greetingMilliseconds?: number
  /** How long the server may be silent. */
  readonly silenceMilliseconds?: number
  /** For everything together. */
  readonly wholeMilliseconds?: number
  /** What a mail on its way is given when the process stops. */
  readonly graceMilliseconds?: number
  /** The port on which TLS begins with the first byte; tests, which cannot listen there, pass another. */
  readonly implicitTlsPort?: number
}

/** Whether the token that proves control of a domain was found there. Everything that goes wrong means: not found. */
export type FindDomainToken = (
  domain: string,
  proof: 'dns' | 'http',
  token: string,
  signal: AbortSignal,
) => Promise<boolean>

/** Something that a person signs in with: a passkey, or an account at an identity provider. */
export interface SignInMethod {
  readonly type: 'passkey' | 'identity_link'
  /** The id of its document. */
  readonly id: string
}

/** What modules do when something that others depend on changes; collected from all modules. */
export interface Lifecycle {
  /** Removes what modules keep for a user. It runs a second time after the commit, for what was added meanwhile. */
  userRemoved(app: App, work: Work, userId: string): Promise<void>
  /** Turns off what needs the phone number of a user. */
  phoneRemoved(app: App, work: Work, userId: string): Promise<void>
  /** Throws when a user must not be locked or deactivated. */
  beforeUserLockedOut(app: App, work: Work, userId: string): Promise<void>
  /** Throws when a user must not remove one of their ways to sign in. */
  beforeSignInMethodRemoved(app: App, work: Work, userId: string, method: SignInMethod): Promise<void>
  /** Throws when the users of an organization must not be locked out or removed. */
  beforeOrganizationClosed(app: App, work: Work, organizationId: string): Promise<void>
  /** Removes up to `limit` things that modules keep for an organization that was removed; answers how many, 0: none is left. */
  organizationRemoved(app: App, organizationId: string, origin: Origin, limit: number): Promise<number>
  /** The same for an identity provider that was removed. */
  providerRemoved(app: App, providerId: string, origin: Origin, limit: number): Promise<number>
}

/** Seals what modules must read again, and hashes short codes. */
export interface Vault {
  /** Seals a text for one place, with the active key. */
  seal(work: Work, place: Place, plain: string): Promise<string>
  /** Opens a text that was sealed for this place. */
  open(place: Place, sealed: string): Promise<string>
  /** What to store of a short one-time code. `purpose` says for what and whom it counts. */
  hashCode(work: Work, purpose: readonly string[], code: string): Promise<string>
  /** Whether this is the code that was hashed for this purpose. */
  matchesCode(purpose: readonly string[], code: string, hash: string): Promise<boolean>
}

export interface App {
  readonly store: Store
  /** Seals secrets and opens them again. */
  readonly vault: Vault
  readonly clock: Clock
  readonly newId: NewId
  readonly instanceId: string
  /** The public origin of the server. */
  readonly externalUrl: string
  readonly version: string
  readonly log: Log
  readonly config: AppConfig
  /** Hashes and verifies passwords on threads of their own. */
  readonly hashing: Passwords
  /** Fetches addresses that callers chose; never internal ones. */
  readonly fetchOutside: GuardedFetch
  readonly findDomainToken: FindDomainToken
  readonly lifecycle: Lifecycle
  /** Every kind of document, of all modules. */
  readonly kinds: readonly AnyKind[]
  /** Whether this process takes calls. */
  isReady(): Promise<boolean>
  /** Whether a service of this full name is served. */
  isServed(service: string): boolean
}

/** Something that a module keeps in memory, one for each app: made when it is first asked for. */
export function perApp<Value>(make: (app: App) => Value): (app: App) => Value {
  const made = new WeakMap<App, { readonly value: Value }>()
  return (app) => {
    let entry = made.get(app)
    if (entry === undefined) {
      entry = { value: make(app) }
      made.set(app, entry)
    }
    return entry.value
  }
}
