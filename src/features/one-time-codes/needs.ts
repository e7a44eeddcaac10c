/** What this room is given by whoever wires the house: its tools, and ports to other rooms. */
import type { RandomBytes } from '../../crypto/tokens.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { HumanUser } from '../users/index.ts'

/** A message to a person that carries a one-time code. */
export interface OneTimeCodeMessage {
  readonly user: Document<HumanUser>
  readonly code: string
  readonly sessionId: string
  readonly validForMinutes: number
  /** Where the link of a mail leads; not given: there is none, and the code is typed. */
  readonly urlTemplate?: string | undefined
}

/** Messages that leave with the commit that asks for them. */
export interface OneTimeCodeMessages {
  /** Why a template cannot make links; undefined when it can. */
  urlTemplateProblem(template: string): string | undefined
  mailCode(work: Work, message: OneTimeCodeMessage): Promise<void>
  /** Throws when no SMS can be sent at all. */
  textCode(work: Work, message: OneTimeCodeMessage): Promise<void>
}

/** A key (WebAuthn) that is used as a second factor. */
export interface SecondFactorKey {
  readonly id: string
  readonly name: string
}

export interface OneTimeCodesNeeds {
  readonly store: Store
  readonly instanceId: string
  readonly vault: Vault
  /** Where the world finds the server; its host is what an authenticator app calls it. */
  readonly externalUrl: string
  readonly messages: OneTimeCodeMessages
  /** The keys of a person that are used as a second factor. */
  readonly findKeys: (userId: string) => Promise<readonly SecondFactorKey[]>
  /** Where secrets come from; tests pass their own. */
  readonly random?: RandomBytes
}
