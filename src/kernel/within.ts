/** What answers that must not become large contain of a list. */
export interface Within<Thing> {
  readonly kept: readonly Thing[]
  /** Whether something was left out: who reads the answer is told. */
  readonly isCut: boolean
}

/** The first things of a list whose characters together are at most so many. */
export function within<Thing>(
  things: readonly Thing[],
  most: number,
  charactersOf: (thing: Thing) => number,
): Within<Thing> {
  let characters = 0
  const end = things.findIndex((thing) => {
    characters += charactersOf(thing)
    return characters > most
  })
  return end === -1 ? { kept: things, isCut: false } : { kept: things.slice(0, end), isCut: true }
}
