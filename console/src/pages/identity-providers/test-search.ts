/** The parameters that a test sign-in brings back; in the first load. */

const NAMES = ['id', 'token', 'user', 'error', 'error_description'] as const

export type TestSearch = { readonly [Name in (typeof NAMES)[number]]?: string }

/** Ids are long numbers, which the router would read as numbers: the text is taken from the address itself. */
function textAt(name: string): string | undefined {
  const text = new URLSearchParams(location.search).get(name)
  if (!text?.startsWith('"')) return text ?? undefined
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** For `validateSearch` of the route. */
export function testSearch(given: Readonly<Record<string, unknown>>): TestSearch {
  const found = NAMES.flatMap((name) => {
    if (given[name] === undefined) return []
    return [[name, typeof given[name] === 'string' ? given[name] : (textAt(name) ?? String(given[name]))]]
  })
  return Object.fromEntries(found) as TestSearch
}
