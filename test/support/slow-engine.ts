import type { Engine } from '../../src/store/engine.ts'
import type { CompiledQuery } from '../../src/store/query/index.ts'

/** An engine that never answers at once, and tells how many searches read all documents. */
export function slow({ findAtOnce: _, ...engine }: Engine) {
  const isAmongIds = ({ where }: CompiledQuery) => /\bid( collate "C")? in \(select/.test(where)
  const { dialect } = engine
  const searching = {
    ...engine,
    dialect,
    searches: 0,
    /** Is called before documents are read, and before texts are. */
    before: async () => {},
    beforeTexts: async () => {},
    find: async (query: CompiledQuery) => {
      await searching.before()
      if (!isAmongIds(query)) searching.searches++
      return engine.find(query)
    },
    values: async (...[query, ...asked]: Parameters<Engine['values']>) => {
      await searching.before()
      if (!isAmongIds(query)) searching.searches++
      return engine.values(query, ...asked)
    },
    texts: async (...asked: Parameters<Engine['texts']>) => {
      await searching.beforeTexts()
      return engine.texts(...asked)
    },
  }
  return searching
}
