/** The look that applies to an organization, ready for pages and mails: colors, files and whether our name is shown. */

import type { AssetReference } from '../../../kernel/asset-reference.ts'
import type { App } from '../../../module/app.ts'
import { type Theme, themeOf } from '../../../theme/theme.ts'
import { assetPath } from '../../assets/index.ts'
import { type Holding, holdingOfUser, holdingSettings, type SettingsUser } from '../effective.ts'
import type { Branding, BrandingSlot } from '../values.ts'

/** A look, with colors that can be read and paths of files on this server. */
export interface Brand {
  /** The organization or the instance that set it; undefined for the built-in look. */
  readonly owner: string | undefined
  readonly light: Theme
  readonly dark: Theme
  /** `auto`: as the browser prefers. */
  readonly themeMode: Branding['themeMode']
  readonly hidesOurName: boolean
  readonly files: Readonly<Partial<Record<BrandingSlot, string>>>
}

/** The files of a look by their paths. */
export function brandFiles({ assets = {} }: Branding): Brand['files'] {
  return Object.fromEntries(
    Object.entries(assets).map(([slot, asset]: [string, AssetReference]) => [slot, assetPath(asset)]),
  )
}

/** The look that applies to an organization or to the instance itself. */
export async function readBrand(app: App, owner: string): Promise<Brand> {
  return brandOf((await holdingSettings(app, owner)).branding)
}

/** The look of what is sent to a user. */
export async function brandForUser(app: App, user: SettingsUser): Promise<Brand> {
  return brandOf((await holdingOfUser(app, user)).branding)
}

function brandOf({ value, from }: Holding<Branding>): Brand {
  return {
    owner: from?.id,
    light: themeOf(value.light, 'light'),
    dark: themeOf(value.dark, 'dark'),
    themeMode: value.themeMode,
    hidesOurName: value.disablesWatermark,
    files: brandFiles(value),
  }
}
