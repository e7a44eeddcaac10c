/** Where a text can contain the code and the link of a mail: not as part of an address. Pure. */
import { PART_PLACES } from '../placeholders.ts'

/** Placeholders for the code or the link, or for a part that can contain them. */
const CARRIER = new RegExp(`\\{\\{\\s*\\.(Code|Link|${PART_PLACES.join('|')})\\s*\\}\\}`, 'g')

const BLANK = /&nbsp;|&#160;/g
const MOST_LOOKED_AT = 300

/** Whether a text contains a place for the code or the link, or for a part that can contain them. */
export function hasCarrier(text: string): boolean {
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
