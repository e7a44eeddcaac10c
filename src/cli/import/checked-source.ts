/** Reads a source once before anything of it is written. */
import type { Source } from './draft.ts'

/** How many drafts there are. Throws when something cannot be read. */
export async function countDrafts(items: AsyncIterable<object>): Promise<number> {
  let drafts = 0
  for await (const item of items) if (!('remark' in item)) drafts++
  return drafts
}

/** What cannot be read is noticed before the first object is written: nothing is left half done. */
export function checkedSource(source: Source): Source {
  let drafts: Promise<number> | undefined
  const count = () => {
    drafts ??= countDrafts(source.read())
    return drafts
  }
  return {
    ...source,
    count,
    async *read() {
      await count()
      yield* source.read()
    },
  }
}
