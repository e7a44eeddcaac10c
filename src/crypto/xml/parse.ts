/**
 * Reads XML of strangers into a plain tree. Only what SAML messages need is XML here: document types, entities of the
 * sender's own and processing instructions are refused, and size, depth and number of elements have limits. Pure.
 */

/** An element without prefixes: names are compared by namespace. */
export interface XmlElement {
  readonly namespace: string
  readonly name: string
  /** By local name; those of a namespace by `{namespace}name`. Declarations of namespaces are not among them. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text directly in it. */
  readonly text: string
}

/** Why a text is not read, in words for the log; what was sent is not quoted. */
export class XmlRefused extends Error {
  override readonly name = 'XmlRefused'
}

export interface XmlLimits {
  readonly mostCharacters: number
  /** Comments are dropped where nothing is signed; in messages, they only serve to split a text. */
  readonly allowsComments?: boolean
}

const MOST_DEPTH = 32
const MOST_ELEMENTS = 5_000
const MOST_ATTRIBUTES = 50
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"utf-8"|'utf-8'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/i
const NAME = /[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?/uy
const ATTRIBUTE =
  /[ \t\n]+([\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?)[ \t\n]*=[ \t\n]*("[^<"]*"|'[^<']*')/uy
const TAG_END = /[ \t\n]*(\/?)>/y
const SPACE_AND_END = /[ \t\n]*>/y

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function characterOf(code: number): string {
  const isAllowed = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  const text = isAllowed ? String.fromCodePoint(code) : '\0'
  if (FORBIDDEN.test(text)) throw new XmlRefused('a character is not allowed in XML')
  return text
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12})(;?)/g, (_, name: string, end: string) => {
    const known = end === ';' && Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
    if (known !== undefined) return known
    const number = end === ';' ? /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name) : null
    if (number === null) throw new XmlRefused('an entity is not one of XML itself')
    return characterOf(number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16))
  })
}

/** What prefixes mean, from the inside to the outside. */
interface Scope {
  readonly prefix: string
  readonly namespace: string
  readonly outer: Scope | undefined
}

function namespaceOf(prefix: string, scope: Scope | undefined): string {
  if (prefix === 'xml') return XML_NAMESPACE
  for (let one = scope; one !== undefined; one = one.outer) if (one.prefix === prefix) return one.namespace
  if (prefix === '') return ''
  throw new XmlRefused('a prefix is not declared')
}

function declare(prefix: string, namespace: string, outer: Scope | undefined): Scope {
  const isReserved = namespace === XML_NAMESPACE || namespace === XMLNS_NAMESPACE
  if (prefix === 'xml' || prefix === 'xmlns' || isReserved) throw new XmlRefused('a reserved prefix is declared')
  if (prefix !== '' && namespace === '') throw new XmlRefused('a prefix is declared as nothing')
  return { prefix, namespace, outer }
}

function split(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

interface Open {
  readonly typedName: string
  readonly element: XmlElement & { readonly children: XmlElement[] }
  readonly texts: string[]
  readonly scope: Scope | undefined
}

class Reader {
  readonly #text: string
  readonly #allowsComments: boolean
  #at = 0
  #elements = 0
  readonly #open: Open[] = []
  #root: XmlElement | undefined

  constructor(text: string, allowsComments: boolean) {
    this.#text = text
    this.#allowsComments = allowsComments
    this.#at = DECLARATION.exec(text)?.[0].length ?? 0
  }

  read(): XmlElement {
    const text = this.#text
    while (this.#at < text.length) {
      const next = text.indexOf('<', this.#at)
      this.#characters(text.slice(this.#at, next === -1 ? text.length : next))
      if (next === -1) break
      this.#at = next
      if (text.startsWith('<!--', next)) this.#comment()
      else if (text.startsWith('</', next)) this.#close()
      else if (/[!?]/.test(text.charAt(next + 1))) {
        throw new XmlRefused('document types, CDATA and processing instructions are not read')
      } else this.#start()
    }
    if (this.#root === undefined || this.#open.length > 0) throw new XmlRefused('an element has no end')
    return this.#root
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }

  #characters(text: string): void {
    const open = this.#open.at(-1)
    if (open === undefined) {
      if (/[^ \t\n]/.test(text)) throw new XmlRefused('there is text outside of the element')
      return
    }
    if (text.includes(']]>')) throw new XmlRefused('a text contains the end of a section')
    if (text !== '') open.texts.push(unescaped(text))
  }

  #comment(): void {
    const end = this.#text.indexOf('--', this.#at + 4)
    const isWhole = end !== -1 && this.#text.charAt(end + 2) === '>'
    if (!this.#allowsComments || !isWhole) throw new XmlRefused('comments are not read')
    this.#at = end + 3
  }

  #start(): void {
    this.#at += 1
    const typedName = this.#match(NAME)?.[0]
    if (typedName === undefined || this.#root !== undefined) throw new XmlRefused('a tag is not one')
    this.#elements += 1
    if (this.#elements > MOST_ELEMENTS || this.#open.length >= MOST_DEPTH) throw new XmlRefused('the XML is too large')
    const outer = this.#open.at(-1)
    const { attributes, scope } = this.#attributes(outer?.scope)
    const end = this.#match(TAG_END)
    if (end === undefined) throw new XmlRefused('a tag has no end')
    const [prefix, name] = split(typedName)
    if (prefix === 'xmlns') throw new XmlRefused('an element has a reserved prefix')
    const element = { namespace: namespaceOf(prefix, scope), name, attributes, children: [], text: '' }
    this.#open.push({ typedName, element, texts: [], scope })
    if (end[1] === '/') this.#finish()
  }

  #attributes(outer: Scope | undefined): {
    readonly attributes: ReadonlyMap<string, string>
    readonly scope: Scope | undefined
  } {
    const typed = new Map<string, string>()
    let scope = outer
    for (let found = this.#match(ATTRIBUTE); found !== undefined; found = this.#match(ATTRIBUTE)) {
      const [, name = '', quoted = ''] = found
      if (typed.has(name) || typed.size >= MOST_ATTRIBUTES) throw new XmlRefused('an attribute is there twice')
      // A line end or tab in an attribute is a space (XML 1.0 §3.3.3); a reference to one is not.
      const value = unescaped(quoted.slice(1, -1).replace(/[\t\n]/g, ' '))
      typed.set(name, value)
      const [prefix, local] = split(name)
      if (name === 'xmlns') scope = declare('', value, scope)
      else if (prefix === 'xmlns') scope = declare(local, value, scope)
    }
    const attributes = new Map<string, string>()
    for (const [name, value] of typed) {
      const [prefix, local] = split(name)
      if (name === 'xmlns' || prefix === 'xmlns') continue
      const key = prefix === '' ? local : `{${namespaceOf(prefix, scope)}}${local}`
      if (attributes.has(key)) throw new XmlRefused('an attribute is there twice')
      attributes.set(key, value)
    }
    return { attributes, scope }
  }

  #close(): void {
    this.#at += 2
    const name = this.#match(NAME)?.[0]
    const isWhole = this.#match(SPACE_AND_END) !== undefined
    if (!isWhole || this.#open.at(-1)?.typedName !== name) throw new XmlRefused('an element has no end')
    this.#finish()
  }

  #finish(): void {
    const closed = this.#open.pop()
    if (closed === undefined) return
    const element: XmlElement = { ...closed.element, text: closed.texts.join('') }
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = element
    else parent.element.children.push(element)
  }
}

/** The text of bytes that are UTF-8; other encodings are refused. */
export function xmlTextOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new XmlRefused('the XML is not UTF-8')
  }
}

/** The root element of a text. Throws `XmlRefused`. */
export function parseXml(given: string, { mostCharacters, allowsComments = false }: XmlLimits): XmlElement {
  if (given.length > mostCharacters) throw new XmlRefused('the XML is too large')
  const text = given.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  if (FORBIDDEN.test(text) || !text.isWellFormed()) throw new XmlRefused('a character is not allowed in XML')
  return new Reader(text, allowsComments).read()
}

/** The children with this name. */
export function childrenOf(parent: XmlElement, namespace: string, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name && child.namespace === namespace)
}

/** The only child with this name; undefined when there is none. Throws when there are several. */
export function childOf(parent: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const [child, ...others] = childrenOf(parent, namespace, name)
  if (others.length > 0) throw new XmlRefused('an element is there twice')
  return child
}

/** The text of an element that has nothing but text, as it is: names are compared exactly. */
export function exactTextOf({ children, text }: XmlElement): string {
  if (children.length > 0) throw new XmlRefused('an element has more than text')
  return text
}

/** The text of an element that has nothing but text, without the spaces around it. */
export function textOf(element: XmlElement): string {
  return exactTextOf(element).replace(/^[ \t\n]+|[ \t\n]+$/g, '')
}
