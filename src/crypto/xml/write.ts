/**
 * Writes XML in the form that exclusive canonicalization would give it: every namespace is declared where it is first
 * used, attributes are sorted, nothing is abbreviated. What is signed is therefore the text itself. Pure.
 */

/** XML that was written; a plain text in its place is escaped. */
export interface Xml {
  readonly xml: string
}

export type XmlContent = Xml | string | undefined | readonly XmlContent[]

export type XmlAttributes = Readonly<Record<string, string | number | boolean | undefined>>

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

function writable(text: string): string {
  return text.toWellFormed().replace(UNWRITABLE, '\ufffd')
}

const IN_TEXT: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const IN_ATTRIBUTES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function contentOf(content: XmlContent): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return writable(content).replace(/[&<>\r]/g, (one) => IN_TEXT[one] ?? one)
  if ('xml' in content) return content.xml
  return content.map(contentOf).join('')
}

function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

/** Declarations come first; attributes of ours have no namespace, so that they are sorted by name. */
function order(a: string, b: string): number {
  const [first, second] = [isDeclaration(a), isDeclaration(b)]
  if (first !== second) return first ? -1 : 1
  return a < b ? -1 : 1
}

/** An element. An attribute that is undefined is left out. */
export function element(name: string, attributes: XmlAttributes = {}, ...content: readonly XmlContent[]): Xml {
  const written = Object.keys(attributes)
    .filter((key) => attributes[key] !== undefined)
    .sort(order)
    .map((key) => {
      const value = writable(String(attributes[key])).replace(/[&<"\t\n\r]/g, (one) => IN_ATTRIBUTES[one] ?? one)
      return ` ${key}="${value}"`
    })
  return { xml: `<${name}${written.join('')}>${contentOf(content)}</${name}>` }
}
