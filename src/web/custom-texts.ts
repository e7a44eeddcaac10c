/** The texts of a page, with those that the instance or an organization has changed. */
import { type CustomTexts, customTexts, PAGE_TEXTS, valueOfPlace } from '../features/settings/index.ts'
import { fillPlaces } from '../kernel/placeholders.ts'
import type { App } from '../module/app.ts'
import type { PageCookie } from './cookies.ts'
import type { Visit } from './site.ts'
import type { Texts } from './texts/en.ts'
import { organizationsOfVisit } from './visited-organizations.ts'

type Group = { readonly [name: string]: unknown }

/** What a page shows or calls instead of its own text: a sentence, or a function that fills in values. */
function ownForm(key: string, text: string): unknown {
  const places = PAGE_TEXTS.get(key)?.places ?? []
  if (places.length === 0) return text
  return (values: Readonly<Record<string, string | number>>) =>
    fillPlaces(text, Object.fromEntries(places.map((name) => [name, String(values[valueOfPlace(name)] ?? '')])))
}

function replaced(group: Group, [name = '', ...deeper]: readonly string[], form: unknown): Group {
  // A key that an older version knew is left out before; this keeps the shape of the texts in any case.
  if (!Object.hasOwn(group, name)) return group
  return { ...group, [name]: deeper.length === 0 ? form : replaced(group[name] as Group, deeper, form) }
}

/** These texts, with the custom ones in their places. */
export function withCustomTexts(texts: Texts, custom: CustomTexts): Texts {
  const all = Object.entries(custom).reduce<Group>(
    (group, [key, text]) => replaced(group, key.split('.'), ownForm(key, text)),
    texts,
  )
  return all as Texts
}

/** Finds the texts of a page. */
export function openTexts(app: App, cookie: PageCookie): (visit: Visit) => Promise<Texts> {
  return async (visit) => {
    const owners = await organizationsOfVisit(app, cookie, visit)
    return withCustomTexts(visit.texts, await customTexts(app, owners, visit.language))
  }
}
