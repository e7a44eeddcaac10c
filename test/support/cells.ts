/** Compares a matrix with what is expected of it. A failure names the cells that differ, and no others. */
import assert from 'node:assert/strict'

/** What is in each cell, by its name; or the names of those that are there. */
export type Cells = Readonly<Record<string, string>> | readonly string[]

const THERE = 'there'
const MISSING = 'nothing'

function byName(cells: Cells): ReadonlyMap<string, string> {
  return new Map(Array.isArray(cells) ? cells.map((name) => [name, THERE]) : Object.entries(cells))
}

/** Asserts that all cells are as expected. */
export function assertCells(found: Cells, expected: Cells): void {
  const [those, these] = [byName(found), byName(expected)]
  const names = new Set([...these.keys(), ...those.keys()])
  const wrong = [...names].flatMap((name) => {
    const [is, shouldBe] = [those.get(name) ?? MISSING, these.get(name) ?? MISSING]
    return is === shouldBe ? [] : [`${name}: ${shouldBe} expected, but ${is}`]
  })
  if (wrong.length > 0) assert.fail(`${wrong.length} of ${names.size} cells differ:\n${wrong.join('\n')}`)
}

/** Asserts that nothing was found, where what is found says by itself what is wrong. */
export function assertNone(wrong: readonly string[]): void {
  if (wrong.length > 0) assert.fail(`${wrong.length} ${wrong.length === 1 ? 'is' : 'are'} wrong:\n${wrong.join('\n')}`)
}
