/**
 * The tools that every module of one process gets, frozen before the first request. Functions of modules take the app
 * as their first parameter, so that "go to definition" leads to the code.
 */
import type { Logger } from 'pino'
import type { Call } from '../access/call.ts'
import type { Passwords } from '../crypto/passwords/index.ts'
import type { Place } from '../crypto/seal.ts'
import type { NewId } from '../kernel/id.ts'
import type { Clock } from '../kernel/instant.ts'
import type { Tracer } from '../kernel/tracer.ts'
import type { GuardedFetch } from '../outbound/fetch.ts'
import type { Resolve } from '../outbound/lookup.ts'
import type { AnyKind, Origin, Store, Work } from '../store/index.ts'
import type { DestinationKind } from './destinations.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** The part of the configuration that modules read. */
export interface AppConfig {
  /** Origins whose pages may use passkeys. If undefined, the origins of the domain in the request are allowed. */
  readonly passkeyOrigins: readonly string[] | undefined
  /** Whether webhooks and identity providers may have addresses of this machine or of its private network. */
  readonly allowsPrivateNetwork: boolean
  /**
   * Where a browser may be redirected after a sign-in at an identity provider: to any safe URL, or only to URLs below
   * these.
   */
  readonly allowedRedirects: 'any' | readonly string[]
  /**
   * How long one request may wait, for example for an email. Must be shorter than the request timeout of the server.
   */
  readonly longestWaitMs: number
  /** How long ended sessions stay in the event log. */
  readonly sessionRetentionMs: number
  /** How long the address and the browser of a sign-in are kept; 0: they are not. */
  readonly addressRetentionMs: number
  /** How long a key signs tokens before it is replaced; 0: until an operator asks for it. */
  readonly webKeyRotationMs: number
  /** Where the files for the operator are; undefined: nowhere. */
  readonly dataDir: string | undefined
  /** Hash of the key that the page of the development inbox asks for; empty: the page is locked. */
  readonly inboxKeyHash: string
  /** Settings of outgoing mail that only tests change. */
  readonly mailTransport: MailTransportOptions
  /** Timeout of webhook calls. If undefined, the default applies. */
  readonly webhookTimeoutMs?: number | undefined
}

/** Timeouts and limits of the SMTP transport. Each has a default. */
export interface MailTransportOptions {
  /** Whether the server may connect to an address. Link-local addresses and metadata services are never allowed. */
  readonly isAllowed?: (address: string) => boolean
  readonly resolve?: Resolve
  /** Certificates to trust (PEM), in addition to those that Node trusts, including `NODE_EXTRA_CA_CERTS`. */
  readonly trusted?: string
  readonly connectMilliseconds?: number
  /** Timeout for the greeting and for the STARTTLS handshake. */
  readonly greetingMilliseconds?: number
  /** How long the SMTP server may be silent. */
  readonly silenceMilliseconds?: number
  /** Timeout for the whole delivery. */
  readonly wholeMilliseconds?: number
  /** How long a delivery in progress may continue when the process stops. */
  readonly graceMilliseconds?: number
  /** The port with implicit TLS. Tests cannot listen on the real one and pass another. */
  readonly implicitTlsPort?: number
}

/** Whether the token that proves control of a domain was found there. Any error counts as not found. */
export type FindDomainToken = (
  domain: string,
  proof: 'dns' | 'http',
  token: string,
  signal: AbortSignal,
) => Promise<boolean>

/** A credential that a user signs in with: a passkey, or an account at an identity provider. */
export interface SignInMethod {
  readonly type: 'passkey' | 'identity_link'
  /** The ID of its document. */
  readonly id: string
}

/** A session that ends. */
export interface EndedSession {
  readonly id: string
  readonly userId: string
}

/** A session after checks, and as it was before them. */
export interface CheckedSession {
  readonly id: string
  readonly isNew: boolean
  /** The states are those of the module `sessions`. */
  readonly before: unknown
  readonly after: unknown
}

/** Where a sign-in comes from, as the page or the login client says it. */
export interface Whereabouts {
  readonly ip?: string
  /** The browser and its system, in words. */
  readonly description?: string
}

/** A sign-in that was refused, and what is known of it. Never what was typed as a name: people type passwords there. */
export interface RefusedSignIn {
  readonly origin: Origin
  /** What was checked: `password`, `totp` … */
  readonly check: string
  /** The code of the refusal, before it is hidden from the caller. */
  readonly code: string
  readonly userId?: string | undefined
  /** The organization of the user, or the one that the visitor named. */
  readonly organizationId?: string | undefined
  /** The session that the check was for, if it has one. */
  readonly sessionId?: string | undefined
  /** The authorization request that the browser came with. It may be wrong. */
  readonly requestId?: string | undefined
  /** The application, where it is known without a request. */
  readonly applicationId?: string | undefined
  readonly providerId?: string | undefined
  readonly from?: Whereabouts | undefined
  /** The setting that did not allow it, where the module that refused it knows. */
  readonly setting?: {
    readonly name: string
    readonly value: string
    readonly level: 'instance' | 'organization' | 'application' | 'user'
  }
}

/** A grant that an application gets from the session of a user. */
export interface JoinedApplication {
  readonly sessionId: string
  readonly applicationId: string
  readonly projectId: string
}

/** Roles that users no longer hold: of a project, or of one grant of it; all roles when the project or grant is gone. */
export interface WithdrawnRoles {
  readonly projectId: string
  readonly grantId?: string
  readonly roleKeys: readonly string[] | 'all'
}

/** Removes up to `limit` items that belonged to a removed object, and returns how many it removed; 0: none is left. */
export type RemoveBatch = (app: App, id: string, origin: Origin, limit: number) => Promise<number>

/** A change that modules react to. `Act` is what each of them does then. */
interface Reaction<Act> {
  /** Whether modules act one after the other, until one of them returns how much it did, or at the same time. */
  readonly runs: 'in turn' | 'together'
  /** Never there: it holds the type. */
  readonly act?: Act
}

function inTurn<Act>(): Reaction<Act> {
  return { runs: 'in turn' }
}

/** On PostgreSQL each module waits for several replies, so this is faster where none depends on another. */
function together<Act>(): Reaction<Act> {
  return { runs: 'together' }
}

/**
 * What modules react to. Each has one name: a module that declares a function of this name takes part, and who makes the
 * change calls `app.lifecycle` by it, with all that take part behind it.
 */
export const REACTIONS = {
  /**
   * Removes the data of a user in the commit that removes the user. Runs again after the commit, to remove data that was
   * added meanwhile; does nothing when no data is left.
   */
  whenUserRemoved: together<(app: App, work: Work, userId: string) => Promise<void>>(),
  /** Turns off what needs the phone number of a user, in the commit that removes the number. */
  whenPhoneRemoved: inTurn<(app: App, work: Work, userId: string) => Promise<void>>(),
  /** Ends what was begun with the old password, in the commit that sets the new one, except the session that did. */
  whenPasswordChanged:
    inTurn<(app: App, work: Work, userId: string, keptSessionId: string | undefined) => Promise<void>>(),
  /** Ends what a user loses permanently when they are locked or deactivated, in the commit that does it. */
  whenUserLockedOut: inTurn<(app: App, work: Work, userId: string) => Promise<void>>(),
  /** Ends what all users of an organization lose that is deactivated or removed. */
  whenOrganizationClosed: inTurn<(app: App, work: Work, organizationId: string) => Promise<void>>(),
  /** Records the checks of a session, in the commit that stores them. */
  whenSessionChecked: inTurn<(app: App, work: Work, session: CheckedSession) => Promise<void>>(),
  /** Records a sign-in that was refused, in a write of its own. Takes the same time whether or not there is such a user. */
  whenSignInRefused: inTurn<(app: App, refused: RefusedSignIn) => Promise<void>>(),
  /** Records that a user was signed in to an application, in the commit that opens the grant. */
  whenApplicationJoined: inTurn<(app: App, work: Work, joined: JoinedApplication) => Promise<void>>(),
  /** Tells others that a session ends, in the commit that ends it. */
  whenSessionEnded: inTurn<(app: App, work: Work, session: EndedSession) => Promise<void>>(),
  /** Ends what a user could do in a project by an authorization, in the commit that removes or deactivates it. */
  whenAuthorizationEnded: inTurn<(app: App, work: Work, userId: string, projectId: string) => Promise<void>>(),
  /** Ends what users had through a group, in the commit that removes them from it. */
  whenGroupMembersRemoved:
    inTurn<(app: App, work: Work, groupId: string, userIds: readonly string[]) => Promise<void>>(),
  /** Withdraws roles of a project or grant from up to `limit` documents; returns how many there were. */
  whenProjectRolesWithdrawn:
    inTurn<(app: App, work: Work, withdrawn: WithdrawnRoles, limit: number) => Promise<number>>(),
  /** Throws when a user must not be locked or deactivated. */
  beforeUserLockedOut: inTurn<(app: App, work: Work, userId: string) => Promise<void>>(),
  /** Throws when a user must not remove one of their sign-in methods. */
  beforeSignInMethodRemoved: inTurn<(app: App, work: Work, userId: string, method: SignInMethod) => Promise<void>>(),
  /** Throws when the users of an organization must not be locked out or removed by this caller. */
  beforeOrganizationClosed: inTurn<(app: App, work: Work, organizationId: string, call: Call) => Promise<void>>(),
  /** Removes what is kept for an organization after that was removed, in small commits. */
  whenOrganizationRemoved: inTurn<RemoveBatch>(),
  /** Removes what is kept for a removed project, in small commits. */
  whenProjectRemoved: inTurn<RemoveBatch>(),
  /** Removes what is kept for a removed group, in small commits. */
  whenGroupRemoved: inTurn<RemoveBatch>(),
  /** Removes the data of a removed identity provider, in small commits. */
  whenProviderRemoved: inTurn<RemoveBatch>(),
  /** Takes a target out of what calls it, in the commit that removes the target. */
  whenTargetRemoved: inTurn<(app: App, work: Work, targetId: string) => Promise<void>>(),
  /** Removes what is kept for the accounts at a provider that is another server now, in small commits. */
  whenProviderAccountsReplaced: inTurn<RemoveBatch>(),
}

/** The reactions of all modules. */
export type Lifecycle = {
  readonly [Name in keyof typeof REACTIONS]: (typeof REACTIONS)[Name] extends Reaction<infer Act> ? Act : never
}

/** Seals what modules must read again, hashes short codes, and signs what others keep for us. */
export interface Vault {
  /** Encrypts a text for one place with the active key. */
  seal(work: Work, place: Place, plain: string): Promise<string>
  /** Decrypts a text that was encrypted for this place. */
  open(place: Place, sealed: string): Promise<string>
  /** Hashes a short one-time code for storage. `purpose` names what and whom the code is for. */
  hashCode(work: Work, purpose: readonly string[], code: string): Promise<string>
  /** Whether this code was hashed for this purpose. */
  matchesCode(purpose: readonly string[], code: string, hash: string): Promise<boolean>
  /** Signs a text that is not stored but kept by a client for a short time, who can read it. */
  sign(purpose: readonly string[], text: string): Promise<string>
  /** The text that was signed for this purpose; undefined when it was not, or when its key was removed meanwhile. */
  readSigned(purpose: readonly string[], signed: string): Promise<string | undefined>
}

export interface App {
  readonly store: Store
  /** Encrypts and decrypts secrets. */
  readonly vault: Vault
  readonly clock: Clock
  readonly newId: NewId
  readonly instanceId: string
  /** The public origin of the server. */
  readonly externalUrl: string
  readonly version: string
  readonly log: Log
  /** Undefined when there are no traces. */
  readonly tracer?: Tracer | undefined
  readonly config: AppConfig
  /** Hashes and verifies passwords on worker threads. */
  readonly hashing: Passwords
  /** Fetches URLs that callers chose, but never internal addresses. */
  readonly fetchOutside: GuardedFetch
  readonly findDomainToken: FindDomainToken
  readonly lifecycle: Lifecycle
  /** The document kinds of all modules. */
  readonly kinds: readonly AnyKind[]
  /** The kinds of destinations of all modules. */
  readonly destinations: readonly DestinationKind<App>[]
  /** Whether this process accepts calls. */
  isReady(): Promise<boolean>
  /** Whether the server has a service of this full name. */
  isServed(service: string): boolean
  /** Whether the server has a method of this full name, with a slash at the start. */
  isServedMethod(method: string): boolean
  /** The names that existing clients call, in order: of services, and of methods with a slash at the start. */
  readonly servedNames: { readonly services: readonly string[]; readonly methods: readonly string[] }
}

/** A value that a module keeps in memory, one for each app. It is created at its first use. */
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
