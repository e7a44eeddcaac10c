/** The members of an object of somebody else's file, each with the type that it must have. */
import { CannotImport } from '../import.ts'

/** Is told the path of each member that is asked for: `users[].credentials[].type`. */
export type Asked = (path: string) => void

/** An object, and where it stands in which file, for messages. */
export class Members {
  readonly file: string
  /** `users[3].credentials[0]`; empty for the whole file. */
  readonly place: string
  readonly #values: Readonly<Record<string, unknown>>
  readonly #asked: Asked | undefined

  constructor(file: string, place: string, value: unknown, asked?: Asked) {
    this.file = file
    this.place = place
    this.#asked = asked
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.wrong('', 'an object')
    this.#values = value as Readonly<Record<string, unknown>>
  }

  /** What to throw about a member. */
  wrong(name: string, expected: string): CannotImport {
    const place = this.#placeOf(name)
    return new CannotImport(`${this.file}${place === '' ? '' : `: ${place}`} must be ${expected}.`)
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  names(): readonly string[] {
    return Object.keys(this.#values)
  }

  /** As it is, for what is only kept. */
  raw(name: string): unknown {
    this.#asked?.(this.#placeOf(name).replaceAll(/\[\d+\]/g, '[]'))
    return this.peek(name)
  }

  /** As it is, without being asked for: nothing is carried because of it. */
  peek(name: string): unknown {
    return this.#values[name] ?? undefined
  }

  /** A text that must be there and must not be empty. */
  text(name: string): string {
    const text = this.maybeText(name)
    if (text === undefined || text === '') throw this.wrong(name, 'a text that is not empty')
    return text
  }

  maybeText(name: string): string | undefined {
    const value = this.raw(name)
    if (value !== undefined && typeof value !== 'string') throw this.wrong(name, 'a text')
    return value
  }

  flag(name: string, otherwise = false): boolean {
    const value = this.raw(name) ?? otherwise
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false')
    return value
  }

  number(name: string): number | undefined {
    const value = this.raw(name)
    if (value !== undefined && !Number.isFinite(value)) throw this.wrong(name, 'a number')
    return value as number | undefined
  }

  /** A list of texts; empty when it is not there. */
  texts(name: string): readonly string[] {
    return this.#list(name).map((value, index) => {
      if (typeof value !== 'string') throw this.wrong(`${name}[${index}]`, 'a text')
      return value
    })
  }

  /** A list of objects; empty when it is not there. */
  list(name: string): readonly Members[] {
    return this.#list(name).map((value, index) => this.#inside(`${name}[${index}]`, value))
  }

  /** An object; an empty one when it is not there. */
  inner(name: string): Members {
    return this.#inside(name, this.raw(name) ?? {})
  }

  /** The object that a text, or the only text of a list, contains as JSON; an empty one when it is not there. */
  parsed(name: string): Members {
    let value: unknown
    try {
      const text = Array.isArray(this.raw(name)) ? this.texts(name)[0] : this.maybeText(name)
      value = JSON.parse(text ?? '{}')
    } catch {
      throw this.wrong(name, 'a text that contains JSON')
    }
    return this.#inside(name, value)
  }

  /** An object of lists of texts, as a map. */
  textsByName(name: string): ReadonlyMap<string, readonly string[]> {
    const inner = this.inner(name)
    return new Map(inner.names().map((key) => [key, inner.texts(key)]))
  }

  #list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? []
    if (!Array.isArray(value)) throw this.wrong(name, 'a list')
    return value
  }

  #inside(name: string, value: unknown): Members {
    return new Members(this.file, this.#placeOf(name), value, this.#asked)
  }

  #placeOf(name: string): string {
    return [this.place, name].filter((part) => part !== '').join('.')
  }
}
