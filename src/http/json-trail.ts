/** Where a reader stands in a message, and what it found wrong on the way. */
import type { Violation } from '../kernel/refusal.ts'
import { invalidFields } from './errors.ts'

/** Enough to be helpful; a hostile array of a million wrong items is given up here. */
const MAX_VIOLATIONS = 64

/** A walk through one message. */
export class Trail {
  readonly #steps: (string | number)[] = []
  readonly #violations: Violation[] = []

  enter(step: string | number): void {
    this.#steps.push(step)
  }

  leave(): void {
    this.#steps.pop()
  }

  /** Notes that the value here is wrong. The result is never used: `finish` throws. */
  wrong(description: string): undefined {
    this.#violations.push({ field: this.#path(), description })
    if (this.#violations.length >= MAX_VIOLATIONS) this.finish()
  }

  /** Throws when anything was wrong. */
  finish(): void {
    if (this.#violations.length > 0) throw invalidFields(this.#violations)
  }

  #path(): string {
    let path = ''
    for (const step of this.#steps) path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`
    return path
  }
}
