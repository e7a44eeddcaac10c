/**
 * Writes an SVG again with only what is allowed in it. It reads the small part of XML that drawings use; what it does not
 * know, it leaves out, and what is not well-formed it refuses. No entity of a document type is ever expanded. Pure.
 */
import { refused } from '../../kernel/refusal.ts'
import { assetRefusals } from './refusals.ts'
import { allowedRules, allowedValue, isAllowedElement } from './svg-allowed.ts'

const NAMESPACE = 'http://www.w3.org/2000/svg'
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const DEEPEST = 100

// One piece of markup after the other: comment, CDATA, processing instruction, document type, tag, text.
const PIECE =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!doctype(?:[^[\]>]|\[[^\]]*\])*>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/giy
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function malformed() {
  return refused(assetRefusals, 'asset.svg_invalid')
}

/** Unknown entities would come from a document type, which is left out. */
function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (_, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? ''
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return point > 31 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : ' '
  })
}

function encode(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}

function attributesOf(text: string): string {
  const written = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = allowedValue(name, decode(double ?? single ?? ''))
    if (value !== undefined) written.set(name === 'xlink:href' ? 'href' : name, value)
  }
  return [...written].map(([name, value]) => ` ${name}="${encode(value)}"`).join('')
}

/** The element without the prefix of its namespace. */
function localName(name: string): string {
  return name.startsWith('svg:') ? name.slice(4) : name
}

/** A drawing without scripts, handlers, links, images and references to other places. */
export function sanitizeSvg(source: string): string {
  const pieces: string[] = []
  const open: string[] = []
  /** How deep the current element is inside one that is left out; 0: it stays. */
  let skipped = 0
  let hasRoot = false
  let at = 0
  const text = source.replace(/^\uFEFF/, '')
  while (at < text.length) {
    PIECE.lastIndex = at
    const piece = PIECE.exec(text)
    if (piece === null) throw malformed()
    at = PIECE.lastIndex
    const [, cdata, slash, tag, attributes = '', closed, characters] = piece
    const content = cdata ?? (characters === undefined ? undefined : decode(characters))
    if (content !== undefined && skipped === 0 && open.length > 0) {
      pieces.push(encode(open.at(-1) === 'style' ? allowedRules(content) : content))
    }
    if (tag === undefined) continue
    const name = localName(tag)
    if (slash === '/') {
      if (open.pop() !== name) throw malformed()
      if (skipped > 0) skipped--
      else pieces.push(`</${name}>`)
      continue
    }
    const isRoot = open.length === 0
    if (isRoot && (hasRoot || name !== 'svg')) throw malformed()
    hasRoot = true
    const stays = skipped === 0 && isAllowedElement(name)
    if (stays) pieces.push(`<${name}${isRoot ? ` xmlns="${NAMESPACE}"` : ''}${attributesOf(attributes)}${closed}>`)
    if (closed === '/') continue
    open.push(name)
    if (open.length > DEEPEST) throw malformed()
    if (!stays) skipped++
  }
  if (!hasRoot || open.length > 0) throw malformed()
  return pieces.join('')
}
