/** What the hosted pages need of the rooms; `house` wires them. The pages know no store and no room. */
import type { PasswordFlaw, PasswordPolicy } from '../crypto/passwords/index.ts'
import type { SignInPort } from '../features/sign-in/person.ts'
import type { AccountPort, KeyLinkPort } from './account-ports.ts'
import type { ExternalPort } from './external-ports.ts'

/** Whoever holds a code from a mail or a link. */
export interface Holder {
  readonly userId: string
  readonly code: string
}

/**
 * `refused`: the code is wrong, used or expired, or the user unknown, locked or deactivated; nobody outside learns which.
 * `busy`: right, but the server cannot do it at this moment.
 */
export type Outcome = 'done' | 'refused' | 'busy'

/** A new password that breaks rules. */
export interface FlawedPassword {
  readonly outcome: 'flawed'
  readonly flaws: readonly PasswordFlaw[]
  readonly policy: PasswordPolicy
}

/** What became of a new password; flaws are told only to who holds the right code, and do not use it up. */
export type PasswordOutcome = { readonly outcome: Outcome; readonly userName?: string } | FlawedPassword

export interface NewPassword extends Holder {
  readonly password: string
}

export interface InboxMail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly at: number
}

export interface WholeInboxMail extends InboxMail {
  readonly text: string
  readonly html: string
}

/** The development inbox. */
export interface InboxPort {
  /** Whether mail lands in the inbox now, because none can be sent. */
  isOpen(): Promise<boolean>
  /** The newest mails, newest first. */
  list(): Promise<readonly InboxMail[]>
  read(id: string): Promise<WholeInboxMail | undefined>
}

/** What a browser brings back from an identity provider, and the cookie that says which browser it is. */
export interface ReturnedBrowser {
  readonly parameters: URLSearchParams
  readonly browser: string | undefined
}

/** Where it goes on; `unknown`: there is nothing that it could go on with. */
export type FinishedSignIn =
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'unknown' }
  | { readonly type: 'busy' }

/** What the pages for people with a code need. A method that sends says nothing about whether there was whom to send to. */
export interface PagePorts {
  verifyEmail(holder: Holder): Promise<Outcome>
  sendEmailCode(userId: string): Promise<void>
  resetPassword(given: NewPassword): Promise<PasswordOutcome>
  sendPasswordReset(userId: string): Promise<void>
  /** For people who know only the name with which they sign in. */
  sendPasswordResetTo(userName: string): Promise<void>
  acceptInvitation(given: NewPassword): Promise<PasswordOutcome>
  sendInvitation(userId: string): Promise<void>
  /** The first administrator's first password, with the one-time link of the first start. */
  setUp(given: NewPassword): Promise<PasswordOutcome>
  /** The policy of an organization, if there is one of this id, else the instance's. */
  passwordPolicy(organizationId: string | undefined): Promise<PasswordPolicy>
  /** The browser is back from an identity provider. */
  finishSignIn(returned: ReturnedBrowser): Promise<FinishedSignIn>
  readonly inbox: InboxPort
  readonly signIn: SignInPort
  readonly external: ExternalPort
  readonly account: AccountPort
  readonly keyLinks: KeyLinkPort
}
