/**
 * Text by which names are compared and found whatever their case and width. It is folded once, in here, and stored
 * beside what people typed, so that both databases compare the same characters.
 */

/** Longest text for an index, in UTF-16 units: some ligatures grow eighteenfold, and an index entry has a limit. */
export const LONGEST_SEARCH_TEXT = 600

const PLAIN_ASCII = /^[\x20-\x7e]*$/

// One code point at a time, so that the answer never depends on the neighbours (final sigma).
function foldCase(text: string): string {
  let folded = ''
  for (const point of text) folded += point.toUpperCase().toLowerCase()
  return folded
}

/** NFKC, then case folded. Folding twice changes nothing. */
export function foldText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase()
  let folded = foldCase(text.normalize('NFKC')).normalize('NFKC')
  // Folding can allow another composition or decomposition (U+0345, U+03D3); it settles after a round or two.
  for (let before = ''; before !== folded; ) {
    before = folded
    folded = foldCase(folded).normalize('NFKC')
  }
  return folded
}

/** `foldText`, cut to a length that every index can hold. */
export function searchText(text: string): string {
  const folded = foldText(text)
  if (folded.length <= LONGEST_SEARCH_TEXT) return folded
  return Array.from(folded)
    .slice(0, LONGEST_SEARCH_TEXT / 2)
    .join('')
}
