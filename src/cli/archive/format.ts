/**
 * The form of an export: lines of JSON, each with a check that follows from the line and the check before it, so that a
 * changed, missing or additional line is found where it is. See docs/reference/export-format.md.
 */
import type { RestoredInstance } from '../../features/instances/index.ts'
import type { Derivation } from './passphrase.ts'

export const FORMAT = 'signet-export'
export const VERSION = 1
/** Longer lines are not read: the largest file and the largest text are far below. */
export const LONGEST_LINE = 16 * 1024 * 1024

/** The first line. */
export interface ArchiveHeader {
  readonly format: typeof FORMAT
  readonly version: number
  /** ISO 8601. */
  readonly createdAt: string
  readonly source: {
    readonly product: 'signet'
    readonly version: string
    /** Where the server is. */
    readonly url: string
    readonly engine: 'sqlite' | 'postgres'
    /** Number of the last event. */
    readonly sequence: number
  }
  readonly instance: RestoredInstance
  /** How the keys follow from the passphrase; null: the secrets were left out. */
  readonly passphrase: Derivation | null
}

/** The last line. */
export interface ArchiveEnd {
  readonly end: true
  /** Number of lines between the first and this one. */
  readonly lines: number
  readonly kinds: Readonly<Record<string, number>>
}

const CHECK = /,"check":"([A-Za-z0-9_-]{22})"\}$/

/** Checks lines one after the other. */
export class Chain {
  readonly #checkOf: (text: string) => string
  #before = ''

  constructor(checkOf: (text: string) => string) {
    this.#checkOf = checkOf
  }

  #next(body: string): string {
    this.#before = this.#checkOf(`${this.#before}\n${body}`)
    return this.#before
  }

  /** The line of an object, with its check and a line break. */
  lineOf(object: object): string {
    const body = JSON.stringify(object)
    return `${body.slice(0, -1)},"check":"${this.#next(body)}"}\n`
  }

  /** The object of a line; undefined when the line is not the one that was written here. */
  objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
    const [suffix, check] = CHECK.exec(line) ?? []
    if (suffix === undefined) return undefined
    const body = `${line.slice(0, -suffix.length)}}`
    return this.#next(body) === check ? (JSON.parse(body) as Readonly<Record<string, unknown>>) : undefined
  }
}

/** The place that a secret is sealed for. */
export function sealPlace(kind: string, id: string): string {
  return JSON.stringify([FORMAT, VERSION, kind, id])
}
