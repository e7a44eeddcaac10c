/** Converts the look of login pages to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type LabelPolicySchema,
  ThemeMode as ThemeModeV1,
} from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import {
  type BrandingSettingsSchema,
  ThemeMode as ThemeModeV2,
} from '../../../../contract/gen/signet/settings/v2/appearance_pb.ts'
import type { App } from '../../../module/app.ts'
import { brandFiles } from '../brand/brand.ts'
import type { Branding } from '../values.ts'

/** The two generations number the themes differently. */
const THEMES_V1 = { auto: ThemeModeV1.AUTO, dark: ThemeModeV1.DARK, light: ThemeModeV1.LIGHT } as const
const THEMES_V2 = { auto: ThemeModeV2.AUTO, dark: ThemeModeV2.DARK, light: ThemeModeV2.LIGHT } as const

/** The fields of a v1 request for the look of pages. */
export interface LabelMessage {
  readonly primaryColor: string
  readonly backgroundColor: string
  readonly warnColor: string
  readonly fontColor: string
  readonly primaryColorDark: string
  readonly backgroundColorDark: string
  readonly warnColorDark: string
  readonly fontColorDark: string
  readonly hideLoginNameSuffix: boolean
  readonly disableWatermark: boolean
  readonly themeMode: ThemeModeV1
}

/** The look of pages in a v1 request. */
export function brandingOf(message: LabelMessage): Branding {
  const { primaryColor, backgroundColor, warnColor, fontColor, themeMode } = message
  const themes = Object.keys(THEMES_V1) as Branding['themeMode'][]
  return {
    light: { primaryColor, backgroundColor, warnColor, fontColor },
    dark: {
      primaryColor: message.primaryColorDark,
      backgroundColor: message.backgroundColorDark,
      warnColor: message.warnColorDark,
      fontColor: message.fontColorDark,
    },
    hidesLoginNameSuffix: message.hideLoginNameSuffix,
    disablesWatermark: message.disableWatermark,
    themeMode: themes.find((theme) => THEMES_V1[theme] === themeMode) ?? 'auto',
  }
}

/** The URLs of the files of a look; empty where there is none. */
function urlsOf(value: Branding, externalUrl: string) {
  const files = brandFiles(value)
  const url = (path: string | undefined) => (path === undefined ? '' : new URL(path, externalUrl).href)
  return {
    logo: url(files.logo),
    logoDark: url(files.logoDark),
    icon: url(files.icon),
    iconDark: url(files.iconDark),
    font: url(files.font),
  }
}

/** The look of pages in the v1 services. */
export function labelV1(value: Branding, { externalUrl }: App): MessageInitShape<typeof LabelPolicySchema> {
  const { light, dark } = value
  const urls = urlsOf(value, externalUrl)
  return {
    ...light,
    primaryColorDark: dark.primaryColor,
    backgroundColorDark: dark.backgroundColor,
    warnColorDark: dark.warnColor,
    fontColorDark: dark.fontColor,
    logoUrl: urls.logo,
    logoUrlDark: urls.logoDark,
    iconUrl: urls.icon,
    iconUrlDark: urls.iconDark,
    fontUrl: urls.font,
    hideLoginNameSuffix: value.hidesLoginNameSuffix,
    disableWatermark: value.disablesWatermark,
    themeMode: THEMES_V1[value.themeMode],
  }
}

/** The look of pages in the v2 services. */
export function brandingV2(value: Branding, { externalUrl }: App): MessageInitShape<typeof BrandingSettingsSchema> {
  const urls = urlsOf(value, externalUrl)
  return {
    lightTheme: { ...value.light, logoUrl: urls.logo, iconUrl: urls.icon },
    darkTheme: { ...value.dark, logoUrl: urls.logoDark, iconUrl: urls.iconDark },
    fontUrl: urls.font,
    hideLoginNameSuffix: value.hidesLoginNameSuffix,
    disableWatermark: value.disablesWatermark,
    themeMode: THEMES_V2[value.themeMode],
  }
}
