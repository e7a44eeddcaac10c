/**
 * Custom pages of emails. A page is read into a tree as browsers read it (WHATWG HTML, by parse5), and what is allowed in it
 * is written out again, so every mail program reads the same. A place is text or a whole `href`: in any other attribute, or
 * beside an address, a mail program would send the code or the link elsewhere.
 */
import type { DefaultTreeAdapterMap, ParserOptions, DefaultTreeAdapterTypes as Tree } from 'parse5'
import { attributeOf, INLINE, isElementAllowed, styleProblem, VOID } from './allowed.ts'
import { hasCarrier, textProblem } from './text-places.ts'

/** A page as it is sent, and why it may not be set, if it may not. */
export interface WrittenPage {
  readonly html: string
  readonly problem: string | undefined
}

const MOST_ELEMENTS = 10_000
const MOST_NESTED = 200

/** Elements that are left out with all that they contain. Of others only the tags are left out. */
const WITH_CONTENT = new Set(
  `applet audio base button canvas embed form frame frameset iframe input link map math noembed noframes noscript object
  option picture plaintext script select svg template textarea track video xmp`.split(/\s+/),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\u00a0': '&nbsp;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`\u00a0]/g, (sign) => SIGNS[sign] ?? sign)
}

class TooMuch extends Error {}

/** Parsing can add elements that the text does not contain, so they are counted on the way. */
async function read(html: string): Promise<{ readonly document: Tree.Document; readonly isCut: boolean }> {
  const { defaultTreeAdapter, parse } = await import('parse5')
  let elements = 0
  const treeAdapter: ParserOptions<DefaultTreeAdapterMap>['treeAdapter'] = {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      if (++elements > MOST_ELEMENTS) throw new TooMuch()
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
  }
  let isCut = false
  const onParseError: ParserOptions<DefaultTreeAdapterMap>['onParseError'] = ({ code }) => {
    isCut ||= code.startsWith('eof-in-') || code === 'eof-before-tag-name'
  }
  const document = parse(html, { treeAdapter, onParseError })
  return { document, isCut }
}

/** Writes what is allowed of a tree, and notes what is not. */
class Writer {
  readonly #out: string[] = []
  /** The text of the line that is being written. Elements within it do not divide it. */
  #line: string[] = []
  #problem: string | undefined

  write({ mode, childNodes }: Tree.Document): WrittenPage {
    // A page without it is read with the rules of old browsers, and must be again.
    if (mode !== 'quirks') this.#out.push('<!doctype html>')
    this.#all(childNodes, 0)
    this.#endLine()
    return { html: this.#out.join(''), problem: this.#problem }
  }

  #refuse(problem: string | undefined): void {
    this.#problem ??= problem
  }

  #endLine(): void {
    const text = this.#line.join('')
    this.#line = []
    if (hasCarrier(text)) this.#refuse(textProblem(text))
  }

  #all(nodes: readonly Tree.ChildNode[], depth: number): void {
    if (depth > MOST_NESTED) throw new TooMuch()
    for (const node of nodes) {
      if ('value' in node) this.#text(node.value)
      else if ('tagName' in node) this.#element(node, depth)
      else if ('data' in node && hasCarrier(node.data)) this.#refuse('must not contain places inside a comment')
    }
  }

  #text(value: string): void {
    const text = value.replaceAll(CONTROLS, '')
    this.#line.push(text)
    this.#out.push(escaped(text))
  }

  #element(element: Tree.Element, depth: number): void {
    const { tagName: name, childNodes } = element
    const isLine = INLINE.has(name)
    if (!isLine) this.#endLine()
    if (WITH_CONTENT.has(name) || !isElementAllowed(name)) {
      this.#refuse(`must not contain the element <${name}>`)
      if (!WITH_CONTENT.has(name)) this.#all(childNodes, depth + 1)
    } else if (name === 'style') {
      this.#style(element)
    } else {
      this.#out.push(this.#tag(element))
      // The first line break in it is not read.
      if (name === 'pre') this.#out.push('\n')
      this.#all(childNodes, depth + 1)
      if (!VOID.has(name)) this.#out.push(`</${name}>`)
    }
    if (!isLine) this.#endLine()
  }

  #style(element: Tree.Element): void {
    const css = element.childNodes
      .map((node) => ('value' in node ? node.value : ''))
      .join('')
      .replaceAll(CONTROLS, '')
    const problem = styleProblem(css)
    this.#refuse(problem)
    if (problem === undefined) this.#out.push(this.#tag(element), css, '</style>')
  }

  #tag({ tagName, attrs }: Tree.Element): string {
    const attributes = attrs.map(({ name, value: given }) => {
      const { value, problem } = attributeOf(tagName, name, given.replaceAll(CONTROLS, ''))
      this.#refuse(problem)
      return value === undefined ? '' : ` ${name}="${escaped(value)}"`
    })
    return `<${tagName}${attributes.join('')}>`
  }
}

/** Reads a page, and writes it as it is sent. */
export async function writePage(html: string): Promise<WrittenPage> {
  try {
    const { document, isCut } = await read(html)
    const first = new Writer().write(document)
    if (isCut) return { html: first.html, problem: 'must not end inside a tag or a comment' }
    if (first.problem !== undefined) return first
    const second = new Writer().write((await read(first.html)).document)
    const isSame = second.html === first.html && second.problem === undefined
    return { html: second.html, problem: isSame ? undefined : 'must be HTML that is read in one way only' }
  } catch (error) {
    if (error instanceof TooMuch) return { html: '', problem: 'must contain fewer elements, less deeply nested' }
    throw error
  }
}
