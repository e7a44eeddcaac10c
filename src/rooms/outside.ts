/** What the rooms are given from outside, so that tests open the same house without a port. */
import type { GuardedFetch } from '../access/outbound-fetch.ts'
import type { Passwords } from '../crypto/passwords/index.ts'
import type { HealthNeeds } from '../features/health/index.ts'
import type { Vault } from '../features/instances/index.ts'
import type { SendMail } from '../features/mail/index.ts'
import type { OrganizationsNeeds } from '../features/organizations/index.ts'
import type { AllowedRedirects } from '../features/sign-in-intents/index.ts'
import type { PostWebhook } from '../features/sms/index.ts'
import type { NewId } from '../kernel/id.ts'
import type { Clock } from '../kernel/instant.ts'
import type { Store } from '../store/index.ts'

/** What the rooms are given from outside. */
export interface Outside {
  readonly store: Store
  readonly vault: Vault
  readonly newId: NewId
  readonly clock: Clock
  readonly instanceId: string
  readonly version: string
  /** Where the world finds the server. */
  readonly externalUrl: string
  /** The origins whose pages may ask for passkeys; undefined: those of whichever domain is asked for. */
  readonly origins?: readonly string[] | undefined
  readonly library: Passwords
  /** How mail leaves. */
  readonly send: SendMail
  /** How text messages leave. */
  readonly post: PostWebhook
  /** Whether webhooks may be on this machine or in its operator's network. */
  readonly allowsPrivate: boolean
  /** How we reach addresses that callers chose. */
  readonly fetchOutside: GuardedFetch
  /** Where browsers may be sent after a sign-in elsewhere. */
  readonly allowedRedirects: AllowedRedirects
  readonly findToken: OrganizationsNeeds['findToken']
  /** How long one request may wait for a mail: less than the port gives it. */
  readonly longestWaitMilliseconds: number
  /** Whether this process takes calls. */
  readonly isReady: HealthNeeds['isReady']
  /** Whether a service of this full name is served. */
  readonly isServed: HealthNeeds['isServed']
}
