/** A refusal is an expected "no". It is declared in a module's catalogue and thrown as `Refused`. */

export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition'
  | 'exhausted'
  /** Two writers met and the retries were used up. */
  | 'aborted'
  /** The store cannot be reached or cannot write now; trying again later may help. */
  | 'unavailable'

/** Every refusal of a module: code → kind and public sentence. Codes are API and never renamed. */
export type Catalogue<Code extends string = string> = Readonly<Record<Code, readonly [RefusalKind, string]>>

/** One field that breaks a rule, by its JSON path. */
export interface Violation {
  readonly field: string
  readonly description: string
}

export interface RefusalExtras {
  readonly violations?: readonly Violation[]
  readonly retryAfterSeconds?: number
}

export class Refused extends Error {
  readonly code: string
  readonly kind: RefusalKind
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, kind: RefusalKind, sentence: string, extras: RefusalExtras = {}) {
    super(sentence)
    this.name = 'Refused'
    this.code = code
    this.kind = kind
    this.violations = extras.violations ?? []
    this.retryAfterSeconds = extras.retryAfterSeconds
  }
}

/** The refusal `code` of `catalogue`, ready to be thrown. */
export function refused<Code extends string>(catalogue: Catalogue<Code>, code: Code, extras?: RefusalExtras): Refused {
  const [kind, sentence] = catalogue[code]
  return new Refused(code, kind, sentence, extras)
}
