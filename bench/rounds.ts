/** Alternating rounds: everything that is compared takes its turn in each round, so that all see the same machine. */

/** Runs the contenders in turn, `rounds` times; every other round backwards, so that none always follows the same one. */
export async function alternate<Name extends string, Value>(
  contenders: Readonly<Record<Name, (round: number) => Promise<Value>>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const names = Object.keys(contenders) as Name[]
  const values = Object.fromEntries(names.map((name): [Name, Value[]] => [name, []])) as Record<Name, Value[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      values[name].push(await contenders[name](round))
    }
  }
  return values
}
