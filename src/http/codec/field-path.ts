/** The path of the field that is being read, and the violations and the unknown fields found so far. */
import type { Violation } from '../../kernel/refusal.ts'
import { invalidFields } from '../protocols/errors.ts'
import { UNKNOWN_FIELDS_HEADER, UnknownFields } from './unknown-fields.ts'

/** Said of a field that comes under two of its names, in every protocol. */
export const GIVEN_TWICE = 'is given more than once'

/** Enough to be helpful; reading an array of a million wrong items ends here. */
const MAX_VIOLATIONS = 64

function isWithin(path: string, whole: string): boolean {
  return whole === '' || (path.startsWith(whole) && /^[.[]/.test(path.slice(whole.length)))
}

/** The current path in a message while it is read. */
export class FieldPath {
  readonly #steps: (string | number)[] = []
  readonly #violations: Violation[] = []
  #unknown: UnknownFields | undefined

  enter(step: string | number): void {
    this.#steps.push(step)
  }

  leave(): void {
    this.#steps.pop()
  }

  /** Records that this message has no field of this name. */
  unknown(name: string): void {
    this.#unknown ??= new UnknownFields()
    this.enter(name)
    this.#unknown.add(this.#path())
    this.leave()
  }

  /** The unknown fields, as the header of the response has them. */
  get unknownFields(): string | undefined {
    return this.#unknown?.header
  }

  /** Records that the value at this path is invalid. The result is never used, because `finish` throws. */
  wrong(description: string): undefined {
    this.#violations.push({ field: this.#path(), description })
    if (this.#violations.length >= MAX_VIOLATIONS) throw invalidFields(this.#violations)
  }

  /** Throws when there are violations, together with `others`: the violations of the fields that could be read. */
  finish(others: () => readonly Violation[] = () => []): void {
    const wrong = this.#violations
    if (wrong.length === 0) return
    // A field that could not be read gets no further violations, such as "is missing".
    const isSaid = ({ field }: Violation) => wrong.some((one) => one.field === field || isWithin(field, one.field))
    const { unknownFields } = this
    const headers = unknownFields === undefined ? [] : [UNKNOWN_FIELDS_HEADER, unknownFields]
    throw invalidFields([...wrong, ...others().filter((other) => !isSaid(other))], headers)
  }

  #path(): string {
    let path = ''
    for (const step of this.#steps) path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`
    return path
  }
}
