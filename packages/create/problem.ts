/** What ends the command: a sentence for its user, and the exit code. */

export const EXIT = { failed: 1, wrong: 2, patch: 3 } as const

export class Problem extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** How many letters differ, at most: of a few names, the one that was probably meant. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1]
    for (const [index, other] of [...b].entries()) {
      const best = Math.min(
        (row[index + 1] ?? 0) + 1,
        (next[index] ?? 0) + 1,
        (row[index] ?? 0) + Number(letter !== other),
      )
      next.push(best)
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** "Did you mean …?", or the names that there are. */
export function meant(given: string, names: readonly string[]): string {
  const [nearest] = [...names].sort((a, b) => distance(given, a) - distance(given, b))
  if (nearest !== undefined && distance(given, nearest) <= 2) return `Did you mean ${nearest}?`
  return `It is one of: ${names.join(', ')}.`
}

/** Without what moves the cursor or rings: names come from files and servers. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, 200)
}
