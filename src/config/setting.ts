/** What one setting is: its name, what it means, how its text is read. All areas are tables of these. */
import { inspect } from 'node:util'

/** One environment variable. The text of a missing or empty one is undefined. */
export interface Setting<Value> {
  readonly name: `SIGNET_${string}` | `OTEL_${string}`
  /** As the reference shows it. */
  readonly defaultText: string
  /** One line for the reference; Markdown. */
  readonly meaning: string
  /** Its value is never printed, not even when it is wrong. */
  readonly isSecret?: boolean
  /** Throws `BadSetting` when the text is not usable. */
  read(text: string | undefined): Value
}

/** Says what is wrong with a value, in a sentence that continues after the variable's name. */
export class BadSetting extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'BadSetting'
  }
}

/** A text that is never shown by accident: not in a log, not in JSON, not in an error. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** Declares a setting; only there so that the type of its value is inferred. */
export function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return Object.freeze(definition)
}

/** Reads a whole number between two bounds, both allowed. */
export function wholeNumber(least: number, most: number, fallback: number) {
  return (text: string | undefined): number => {
    if (text === undefined) return fallback
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new BadSetting(`must be a whole number from ${least} to ${most}.`)
  }
}

/** Reads yes or no. */
export function flag(fallback: boolean) {
  return (text: string | undefined): boolean => {
    if (text === undefined) return fallback
    if (text === 'true' || text === 'false') return text === 'true'
    throw new BadSetting('must be true or false.')
  }
}

/** Reads seconds, fractions allowed, and gives milliseconds. */
export function seconds(least: number, most: number, fallback: number) {
  return (text: string | undefined): number => {
    if (text === undefined) return fallback * 1000
    const number = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return Math.round(number * 1000)
    throw new BadSetting(`must be a number of seconds from ${least} to ${most}.`)
  }
}
