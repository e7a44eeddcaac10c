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
  /** Another server said so, with a status that means nothing here. */
  | 'unknown'

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
  /** Consecutive wrong passwords, where the caller may know them. */
  readonly failedAttempts?: number
  /** Why, for the debug log. The caller never gets it. */
  readonly reason?: string | undefined
}

export class Refused extends Error {
  readonly code: string
  readonly kind: RefusalKind
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | undefined
  readonly failedAttempts: number | undefined
  readonly reason: string | undefined

  constructor(code: string, kind: RefusalKind, sentence: string, extras: RefusalExtras = {}) {
    super(sentence)
    this.name = 'Refused'
    this.code = code
    this.kind = kind
    this.violations = extras.violations ?? []
    this.retryAfterSeconds = extras.retryAfterSeconds
    this.failedAttempts = extras.failedAttempts
    this.reason = extras.reason
  }
}

const TEMPORARY: ReadonlySet<RefusalKind> = new Set(['unavailable', 'aborted', 'exhausted'])

/** Whether the same request may succeed later: the store is away, the server is busy, or two writers met. */
export function isTemporary(error: unknown): error is Refused {
  return error instanceof Refused && TEMPORARY.has(error.kind)
}

/** Runs every check; throws the first refusal, with the violations of all of them. */
export async function checkTogether(...checks: readonly (() => void | Promise<void>)[]): Promise<void> {
  const found: Refused[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      found.push(error)
    }
  }
  const [first] = found
  if (first === undefined) return
  const violations = found.flatMap((one) => one.violations)
  const wait = first.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: first.retryAfterSeconds }
  throw new Refused(first.code, first.kind, first.message, { violations, ...wait })
}

/** The invalid fields of every check that refuses. */
export function violationsOf(...checks: readonly (() => unknown)[]): readonly Violation[] {
  return checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return error.violations
    }
  })
}

/** The refusal `code` of `catalogue`, ready to be thrown. */
export function refused<Code extends string>(catalogue: Catalogue<Code>, code: Code, extras?: RefusalExtras): Refused {
  const [kind, sentence] = catalogue[code]
  return new Refused(code, kind, sentence, extras)
}
