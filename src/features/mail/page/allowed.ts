/** The elements, attributes and addresses that a custom page of an email can contain. Everything else is left out. Pure. */
import { hasCarrier } from './text-places.ts'

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

/** Elements that stand within a line: the text before and after them is one text. */
export const INLINE = words(
  'a abbr b bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr',
)

/** Elements without content. */
export const VOID = words('br col hr img meta wbr')

const BLOCKS =
  words(`address article aside blockquote br body caption center col colgroup dd div dl dt figcaption figure
  footer h1 h2 h3 h4 h5 h6 head header hr html img li main meta nav ol p pre section style table tbody td tfoot th thead
  title tr ul`)

/** Whether a page can contain this element. */
export function isElementAllowed(name: string): boolean {
  return INLINE.has(name) || BLOCKS.has(name)
}

const EVERYWHERE =
  words(`align bgcolor border cellpadding cellspacing class color colspan dir face height id lang nowrap
  role rowspan size start style type valign width`)

const TEXTS = words('alt title')

const OF_ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['a', words('name rel target')],
  ['meta', words('charset content name')],
  ['td', words('headers scope')],
  ['th', words('headers scope')],
  ['style', words('media')],
])

/** Attributes that templates of mails have and no mail program needs. */
const IDLE = /^(?:xmlns|data-|mc:)/

const PICTURE = /^https?:\/\/[^\s"'`<>\\]+$/i
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#)[^\s"'`<>\\]*$/i

const ADDRESSES: ReadonlyMap<string, RegExp> = new Map([
  ['a href', ADDRESS],
  ['img src', PICTURE],
  ['body background', PICTURE],
  ['table background', PICTURE],
  ['td background', PICTURE],
])

/** Styles that old mail programs run. */
const RUNNING = /expression|behavior|binding|javascript|\\/i

const HTTP_EQUIV = /^(?:content-type|x-ua-compatible)$/i
const WHOLE_LINK = /^\s*\{\{\s*\.Link\s*\}\}\s*$/

/** What an attribute becomes; without `value` it is left out, and with `problem` it may not be set. */
export interface Attribute {
  readonly value?: string
  readonly problem?: string
}

/** Decides about an attribute, whose value has been decoded. */
export function attributeOf(element: string, name: string, value: string): Attribute {
  if (element === 'a' && name === 'href' && WHOLE_LINK.test(value)) return { value: '{{.Link}}' }
  if (IDLE.test(name)) return {}
  const isText = TEXTS.has(name) || name.startsWith('aria-')
  if (hasCarrier(value) || (value.includes('{{') && !isText)) {
    return { problem: 'must contain places only as text, and {{.Link}} also as a whole href' }
  }
  if (name === 'style' && RUNNING.test(value)) return { problem: `must not contain this style of <${element}>` }
  const address = ADDRESSES.get(`${element} ${name}`)
  if (address !== undefined) {
    const trimmed = value.trim()
    return address.test(trimmed)
      ? { value: trimmed }
      : { problem: `must not contain this address in ${name} of <${element}>` }
  }
  const isHeader = element === 'meta' && name === 'http-equiv' && HTTP_EQUIV.test(value)
  if (element === 'meta' && /utf-?7/i.test(value)) return { problem: 'must be in UTF-8' }
  const isKnown = isText || isHeader || EVERYWHERE.has(name) || OF_ELEMENTS.get(element)?.has(name) === true
  return isKnown ? { value } : { problem: `must not contain the attribute ${name} of <${element}>` }
}

/**
 * A style sheet that loads something for some elements only would tell its author what these contain: the characters of a
 * code, or the beginning of a link. `\` could spell any of these words differently.
 */
const TELLING =
  /[\\<]|url\s*\(|image\s*\(|image-set|cross-fade|@import|@font-face|expression|behavior|binding|\[[^\]]*href/i

/** Why a style sheet is not allowed; undefined when it is. */
export function styleProblem(css: string): string | undefined {
  return TELLING.test(css) || css.includes('{{')
    ? 'must not contain places, addresses, @import, @font-face or \\ inside <style>'
    : undefined
}
