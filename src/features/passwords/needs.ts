/** What this room is given by whoever wires the house. */
import type { Passwords } from '../../crypto/passwords/index.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { HumanUser } from '../users/index.ts'
import type { VerificationsNeeds } from '../verifications/index.ts'
import type { PasswordChecks } from './checking.ts'

/** A message to a person that carries the code of a password reset. */
export interface ResetMessage {
  readonly user: Document<HumanUser>
  readonly code: string
  /** Where the link of a mail leads; not given: to our own page. */
  readonly urlTemplate?: string | undefined
}

/** Messages that leave with the commit that asks for them. */
export interface PasswordMessages {
  /** Why a template cannot make links; undefined when it can. */
  urlTemplateProblem(template: string): string | undefined
  mailCode(work: Work, type: 'password_reset', message: ResetMessage): Promise<void>
  /** Whether an SMS can be sent at all. */
  canText(): Promise<boolean>
  textCode(work: Work, message: ResetMessage): Promise<void>
  /** Tells a person that their password is another one now. */
  mailNotice(work: Work, type: 'password_changed', user: Document<HumanUser>): Promise<void>
}

export interface PasswordsNeeds {
  readonly store: Store
  readonly instanceId: string
  readonly library: Pick<Passwords, 'hash' | 'checkImport'>
  /** The one of the process: `openPasswordChecks`. */
  readonly checks: PasswordChecks
  readonly codes: VerificationsNeeds
  readonly messages: PasswordMessages
}
