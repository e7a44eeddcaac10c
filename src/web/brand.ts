/** The look of a page: that of the organization which the visit is about, or of the user's organization. */
import { createHash } from 'node:crypto'
import { isLivingOrganization, organizations } from '../features/organizations/index.ts'
import { type Brand, readBrand } from '../features/settings/index.ts'
import type { Page, PageHeaders } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { brandSheet } from './brand-sheet.ts'
import type { PageCookie } from './cookies.ts'
import { BUILT_IN_LOOK, type Look } from './look.ts'
import type { Visit } from './site.ts'
import { organizationsOfVisit } from './visited-organizations.ts'

/** Where the style sheets of looks are served. */
export const BRAND_PATH = '/assets/brand'

function sheetPath(brand: Brand): string {
  const hash = createHash('sha256').update(brandSheet(brand)).digest('hex').slice(0, 16)
  return `${BRAND_PATH}/${brand.owner}/${hash}.css`
}

function lookFrom(brand: Brand, name: string): Look {
  const { files, themeMode, hidesOurName } = brand
  const isDark = themeMode === 'dark'
  return {
    name,
    themeMode,
    hidesOurName,
    stylesheet: sheetPath(brand),
    logo: (isDark ? files.logoDark : undefined) ?? files.logo ?? files.logoDark,
    logoDark: files.logoDark,
    icon: (isDark ? files.iconDark : undefined) ?? files.icon ?? files.iconDark,
  }
}

/** Finds the look of a page. */
export function openLooks(app: App, cookie: PageCookie): (visit: Visit) => Promise<Look> {
  return async (visit) => {
    const { organizationId } = await organizationsOfVisit(app, cookie, visit)
    const brand = await readBrand(app, organizationId ?? app.instanceId)
    if (brand.owner === undefined) return BUILT_IN_LOOK
    const organization = (await app.store.get(organizations, brand.owner))?.state
    return lookFrom(brand, organization !== undefined && isLivingOrganization(organization) ? organization.name : '')
  }
}

/** The style sheets of looks: kept indefinitely, because another look has another path. */
export function brandSheetPage(app: App, headers: PageHeaders): Page {
  return {
    verbs: ['GET', 'HEAD'],
    async answer({ path }) {
      const [owner = ''] = path.slice(BRAND_PATH.length + 1).split('/')
      const brand = await readBrand(app, owner)
      const isCurrent = brand.owner === owner && sheetPath(brand) === path
      if (!isCurrent) return { status: 404, contentType: 'text/plain; charset=utf-8', body: 'not found\n', headers }
      const kept = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' }
      return { status: 200, contentType: 'text/css; charset=utf-8', body: brandSheet(brand), headers: kept }
    },
  }
}
