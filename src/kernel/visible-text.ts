/** Names as pages show them, whoever chose them: without what would make them look like another name or cover the text beside them. */

/** Marks that stand on one letter: no script needs more. */
const MOST_MARKS = 3

/**
 * A text without characters that show it, or what follows, in another way than it is: control and zero-width characters,
 * marks of direction, line breaks, and piles of combining marks.
 */
export function visibleText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\p{M}+/gu, (marks) => [...marks].slice(0, MOST_MARKS).join(''))
}

/** A name in a sentence. One that is written from right to left does not turn the words around it. */
export function visibleName(name: string): string {
  const text = visibleText(name).replaceAll(/\s+/gu, ' ').trim()
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text
}
