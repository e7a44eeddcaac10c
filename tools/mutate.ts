/** Loaded before the tests by `mutants.ts`: gives them one file with one operator turned. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const { file, at, from, to } = JSON.parse(process.env.MUTANT ?? '{}')
const url = file === undefined ? undefined : pathToFileURL(file).href

registerHooks({
  load(asked, context, next) {
    const loaded = next(asked, context)
    if (asked !== url) return loaded
    const text = String(loaded.source)
    return { ...loaded, source: `${text.slice(0, at)}${to}${text.slice(at + from.length)}` }
  },
})
