/** What this room is given by whoever wires the house. */
import type { Call } from '../../access/call.ts'
import type { RandomBytes } from '../../crypto/tokens.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { HumanUser } from '../users/index.ts'
import type { VerificationsNeeds } from '../verifications/index.ts'
import type { RelyingParty } from './relying-party.ts'

/** A message to a person that carries a registration link. */
export interface LinkMessage {
  readonly user: Document<HumanUser>
  readonly codeId: string
  readonly code: string
  /** Where the link leads; not given: to our own page. */
  readonly urlTemplate?: string | undefined
}

/** Messages that leave with the commit that asks for them. */
export interface PasskeyMessages {
  /** Why a template cannot make links; undefined when it can. */
  urlTemplateProblem(template: string): string | undefined
  mailLink(work: Work, message: LinkMessage): Promise<void>
}

export interface PasskeysNeeds {
  readonly store: Store
  readonly newId: NewId
  readonly instanceId: string
  /** On which domains and pages keys count. */
  readonly relyingParty: RelyingParty
  readonly codes: VerificationsNeeds
  readonly messages: PasskeyMessages
  /** Whether the caller holds all that a user holds: who has somebody's key can become them. */
  readonly isCovered: (call: Call, userId: string) => Promise<boolean>
  /** Where challenges come from; tests pass their own. */
  readonly random?: RandomBytes
}
