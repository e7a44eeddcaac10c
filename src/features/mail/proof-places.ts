/**
 * Where a custom text can contain the code and the link of a mail. A mail program that loads an address or turns it into a
 * link would send the code elsewhere. So the code must be text, and the link must be text or a whole `href`. Pure.
 */
import { PART_PLACES } from './placeholders.ts'

/** Placeholders for the code or the link, or for a part that can contain them. */
const CARRIERS: readonly string[] = ['Code', 'Link', ...PART_PLACES]

const CARRIER = new RegExp(`\\{\\{\\s*\\.(${CARRIERS.join('|')})\\s*\\}\\}`, 'g')
const WHOLE_LINK = /^\s*\{\{\s*\.Link\s*\}\}\s*$/

/** Elements whose content programs read in different ways, or send away. */
const UNSAFE_ELEMENTS: ReadonlySet<string> = new Set(
  'base button embed form frame frameset iframe input math noembed noframes noscript object option plaintext script select svg template textarea xmp'.split(
    ' ',
  ),
)

const BLANK = /&nbsp;|&#160;/g
const MOST_LOOKED_AT = 300

function hasCarrier(text: string): boolean {
  return text.search(CARRIER) >= 0
}

/** Whether mail programs would make an address of the text before or after a place, and of what is put there. */
function isGlued(before: string, after: string): boolean {
  const left = before.slice(-MOST_LOOKED_AT).replaceAll(BLANK, ' ').split(/\s/).at(-1) ?? ''
  const right = after.slice(0, MOST_LOOKED_AT).replaceAll(BLANK, ' ').split(/\s/, 1)[0] ?? ''
  // What is so long that its start is not seen is no word.
  if (left.length === MOST_LOOKED_AT) return true
  return /[/@&]|www\.|[a-z0-9]\.[a-z0-9]|\}\}/i.test(left) || /[./@&:][^\s]|\{\{/.test(right)
}

/** Why the code or the link is not allowed there in plain text; undefined when it is. */
export function textProblem(text: string): string | undefined {
  const plain = text.replaceAll(CARRIER, (_, name: string) => `{{.${name}}}`)
  const isBad = [...plain.matchAll(CARRIER)].some(({ 0: place, 1: name, index }) => {
    const isProof = name === 'Code' || name === 'Link'
    return isGlued(plain.slice(0, index), plain.slice(index + place.length)) && (isProof || /:\/\//.test(plain))
  })
  return isBad ? 'must not contain {{.Code}} or {{.Link}} as part of an address' : undefined
}

/** One tag with its attributes, read as browsers do (WHATWG HTML, 13.2.5); `end` is behind it. */
function readTag(html: string, start: number) {
  const name = /^<\/?([a-z][^\s/>]*)/i.exec(html.slice(start))?.[1] ?? ''
  const isEnd = html[start + 1] === '/'
  let at = start + name.length + (isEnd ? 2 : 1)
  const attributes: { readonly name: string; readonly value: string }[] = []
  for (;;) {
    at += /^[\s/]*/.exec(html.slice(at))?.[0].length ?? 0
    if (at >= html.length || html[at] === '>') break
    const attribute = /^=?[^\s/>=]*/.exec(html.slice(at))?.[0] ?? ''
    at += attribute.length
    const value = /^\s*=\s*(?:"([^"]*)("|$)|'([^']*)('|$)|([^\s>]*))/.exec(html.slice(at))
    at += value?.[0].length ?? 0
    attributes.push({ name: attribute.toLowerCase(), value: value?.[1] ?? value?.[3] ?? value?.[5] ?? '' })
  }
  return { name: name.toLowerCase(), isEnd, attributes, end: Math.min(at + 1, html.length) }
}

/** Behind the comment, declaration or processing instruction that starts there. */
function endOfMarkup(html: string, start: number): number {
  const rest = html.slice(start)
  const comment = /^<!--(?:-?>|[\s\S]*?(?:--!?>|$))/.exec(rest)?.[0]
  return start + (comment ?? /^[^>]*(?:>|$)/.exec(rest)?.[0] ?? rest).length
}

function tagProblem({ name, attributes }: ReturnType<typeof readTag>): string | undefined {
  if (UNSAFE_ELEMENTS.has(name)) return `must not contain the element <${name}>`
  for (const attribute of attributes) {
    const isWholeLink = name === 'a' && attribute.name === 'href' && WHOLE_LINK.test(attribute.value)
    if (isWholeLink) continue
    if (hasCarrier(attribute.value) || hasCarrier(attribute.name)) {
      return 'must contain the code and parts only as text, and {{.Link}} as text or as a whole href'
    }
  }
  return undefined
}

/** Why the code or the link is not allowed there in a page; undefined when it is. */
export function htmlProblem(html: string): string | undefined {
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    const end = next < 0 ? html.length : next
    const problem = textProblem(html.slice(at, end))
    if (problem !== undefined) return problem
    if (next < 0) return undefined
    if (/^<\/?[a-z]/i.test(html.slice(next, next + 3))) {
      const tag = readTag(html, next)
      const bad = tagProblem(tag)
      if (bad !== undefined) return bad
      at = tag.end
      if (tag.name !== 'style' || tag.isEnd) continue
      const close = html.slice(at).search(/<\/style[\s/>]/i)
      const styleEnd = close < 0 ? html.length : at + close
      if (hasCarrier(html.slice(at, styleEnd))) return 'must not contain places inside <style>'
      at = styleEnd
    } else if (/^<[!?/]/.test(html.slice(next, next + 2))) {
      const markupEnd = endOfMarkup(html, next)
      if (hasCarrier(html.slice(next, markupEnd))) return 'must not contain places inside a comment'
      at = markupEnd
    } else {
      at = next + 1
    }
  }
  return undefined
}
