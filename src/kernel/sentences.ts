/**
 * Sentences with values, in the form of ICU messages: `{name}`, `{count, number}`, `{count, plural, one {…} other {…}}`
 * with exact numbers such as `=0`, and `{how, select, mail {…} other {…}}`. English is in the code, so the compiler reads
 * from the sentence which values it needs; the other languages are data. There is no escaping: texts have no braces of
 * their own. Pure.
 */

/** What stands for a value while the type of a sentence is read: the rest of the text, the open forms, the values found. */
type InText<S extends string, Open extends readonly 0[], Found> = S extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${string}`
    ? FormEnds<S, Open, Found>
    : InArgument<After, Open, Found>
  : Found

type FormEnds<S extends string, Open extends readonly 0[], Found> = S extends `${string}}${infer After}`
  ? Open extends readonly [0, ...infer Outer extends readonly 0[]]
    ? InForms<After, Outer, Found>
    : never
  : Found

type InForms<S extends string, Open extends readonly 0[], Found> = S extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${string}`
    ? S extends `${string}}${infer Rest}`
      ? InText<Rest, Open, Found>
      : never
    : InText<After, readonly [0, ...Open], Found>
  : Found

type InArgument<S extends string, Open extends readonly 0[], Found> = S extends `${infer Head}}${infer After}`
  ? Head extends `${infer Name}, plural,${string}`
    ? S extends `${string}, plural,${infer Forms}`
      ? InForms<Forms, Open, Found & { readonly [K in Name]: number }>
      : never
    : Head extends `${infer Name}, select,${string}`
      ? S extends `${string}, select,${infer Forms}`
        ? InForms<Forms, Open, Found & { readonly [K in Name]: string }>
        : never
      : Head extends `${infer Name}, number`
        ? InText<After, Open, Found & { readonly [K in Name]: number }>
        : InText<After, Open, Found & { readonly [K in Head]: string | number }>
  : never

/** The values that a sentence needs. */
type ValuesOf<S extends string> = InText<S, readonly [], unknown>

/** A sentence without values is a text; one with values asks for them by their names. Placeholders of mails are text. */
type Sentence<S extends string> = S extends `${string}{{.${string}`
  ? string
  : keyof ValuesOf<S> extends never
    ? string
    : (values: { readonly [K in keyof ValuesOf<S>]: ValuesOf<S>[K] }) => string

/** A tree of sentences, ready for a page. */
export type Sentences<English> = English extends readonly string[]
  ? { readonly [K in keyof English]: string }
  : { readonly [K in keyof English]: English[K] extends string ? Sentence<English[K]> : Sentences<English[K]> }

/** What another language must say. */
export type Translation<English> = English extends readonly string[]
  ? readonly string[]
  : { readonly [K in keyof English]: English[K] extends string ? string : Translation<English[K]> }

type Values = Readonly<Record<string, string | number>>

type Part =
  | string
  | { readonly name: string; readonly isNumber: boolean }
  | { readonly name: string; readonly forms: ReadonlyMap<string, readonly Part[]>; readonly isPlural: boolean }

/** A sentence that cannot be read. */
function unreadable(text: string): never {
  throw new Error(`the sentence ${JSON.stringify(text)} cannot be read`)
}

/** The parts of a sentence; throws where its braces do not fit. */
export function readSentence(text: string): readonly Part[] {
  let at = 0
  const parts = readText()
  return at === text.length ? parts : unreadable(text)

  function take(pattern: RegExp): readonly string[] | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return undefined
    at += found[0].length
    return found
  }
  function readText(): readonly Part[] {
    const found: Part[] = []
    while (at < text.length && text[at] !== '}') {
      const [plain] = take(/[^{}]+/y) ?? []
      found.push(plain ?? readArgument())
    }
    return found
  }
  function readArgument(): Part {
    const [, name = '', kind] = take(/\{(\w+)(?:, (number|plural|select))?/y) ?? unreadable(text)
    if (kind === undefined || kind === 'number') {
      return take(/\}/y) ? { name, isNumber: kind === 'number' } : unreadable(text)
    }
    take(/,/y) ?? unreadable(text)
    return { name, forms: readForms(), isPlural: kind === 'plural' }
  }
  function readForms(): ReadonlyMap<string, readonly Part[]> {
    const form = / (=\d+|\w+) \{/y
    const forms = new Map<string, readonly Part[]>()
    for (let found = take(form); found !== undefined; found = take(form)) {
      forms.set(found[1] ?? '', readText())
      take(/\}/y) ?? unreadable(text)
    }
    return take(/\}/y) && forms.has('other') ? forms : unreadable(text)
  }
}

function print(parts: readonly Part[], values: Values, language: string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const value = values[part.name] ?? ''
      if (!('forms' in part)) {
        return part.isNumber && typeof value === 'number' ? value.toLocaleString(language) : String(value)
      }
      const form = part.isPlural ? new Intl.PluralRules(language).select(Number(value)) : String(value)
      const parts = part.forms.get(`=${value}`) ?? part.forms.get(form) ?? part.forms.get('other')
      return print(parts ?? [], values, language)
    })
    .join('')
}

/** The sentence with its values; the parts are read when it is first said. */
function sentence(text: string, language: string): string | ((values: Values) => string) {
  if (!text.includes('{') || text.includes('{{.')) return text
  let parts: readonly Part[] | undefined
  return (values) => {
    parts ??= readSentence(text)
    return print(parts, values, language)
  }
}

function prepare(texts: unknown, language: string): unknown {
  if (typeof texts === 'string') return sentence(texts, language)
  if (Array.isArray(texts)) return texts
  return Object.fromEntries(Object.entries(texts as object).map(([name, one]) => [name, prepare(one, language)]))
}

/** The sentences of a language, ready for a page. */
export function sentencesIn<English>(texts: Translation<English>, language: string): Sentences<English> {
  return prepare(texts, language) as Sentences<English>
}

type Asked<S> = S extends (values: infer Needed) => string ? (needed: Needed) => void : never

/** What all of these sentences need together. */
type AskedTogether<S> = [Asked<S>] extends [never]
  ? Values
  : Asked<S> extends (needed: infer Needed extends object) => void
    ? Needed
    : never

/** One of several sentences, of which some need no values, or not all. */
export function say<S extends string | ((values: never) => string)>(one: S, values: AskedTogether<S>): string {
  return typeof one === 'string' ? one : (one as (values: AskedTogether<S>) => string)(values)
}
