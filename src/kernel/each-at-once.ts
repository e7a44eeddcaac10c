/** This many reads of one work fit into a few statements. */
const AT_ONCE = 32

/**
 * Runs a function for each item, for at most `limit` at the same time: on PostgreSQL each of them waits for replies. After the
 * first failure it begins no more, and throws when those that are running have ended.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<unknown>,
  most = AT_ONCE,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const runNext = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true && failures.length === 0; next = left.next()) {
      try {
        await run(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: most }, runNext))
  if (failures.length > 0) throw failures[0]
}
