/** Converts the settings for login pages, and the age of passwords, to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type LabelPolicySchema,
  type PrivacyPolicySchema,
  ThemeMode as ThemeModeV1,
} from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import type { PasswordAgePolicySchema } from '../../../../contract/gen/signet/policy/v1/policy_pb.ts'
import {
  type BrandingSettingsSchema,
  type LegalAndSupportSettingsSchema,
  type PasswordExpirySettingsSchema,
  ThemeMode as ThemeModeV2,
} from '../../../../contract/gen/signet/settings/v2/appearance_pb.ts'
import type { App } from '../../../module/app.ts'
import { brandFiles } from '../brand/brand.ts'
import type { Holding } from '../effective.ts'
import type { Branding, LegalLinks, PasswordExpiry } from '../events.ts'
import { isOwn, ownerType, settingsDetailsV1 } from './messages.ts'

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
export function labelV1(
  { value, from }: Holding<Branding>,
  { instanceId, externalUrl }: App,
): MessageInitShape<typeof LabelPolicySchema> {
  const { light, dark } = value
  const urls = urlsOf(value, externalUrl)
  return {
    details: settingsDetailsV1(from, instanceId),
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
    isDefault: !isOwn(from, instanceId),
  }
}

/** The look of pages in the v2 services. */
export function brandingV2(
  { value, from }: Holding<Branding>,
  { instanceId, externalUrl }: App,
): MessageInitShape<typeof BrandingSettingsSchema> {
  const urls = urlsOf(value, externalUrl)
  return {
    lightTheme: { ...value.light, logoUrl: urls.logo, iconUrl: urls.icon },
    darkTheme: { ...value.dark, logoUrl: urls.logoDark, iconUrl: urls.iconDark },
    fontUrl: urls.font,
    hideLoginNameSuffix: value.hidesLoginNameSuffix,
    disableWatermark: value.disablesWatermark,
    themeMode: THEMES_V2[value.themeMode],
    resourceOwnerType: ownerType(from, instanceId),
  }
}

/** The links of a v1 request. */
export function legalOf(message: LegalLinks): LegalLinks {
  const { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText } = message
  return { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText }
}

/** The links in the v1 services. */
export function privacyV1(
  { value, from }: Holding<LegalLinks>,
  instanceId: string,
): MessageInitShape<typeof PrivacyPolicySchema> {
  return { details: settingsDetailsV1(from, instanceId), ...value, isDefault: !isOwn(from, instanceId) }
}

/** The links in the v2 services. */
export function legalV2(
  { value: { privacyLink, ...links }, from }: Holding<LegalLinks>,
  instanceId: string,
): MessageInitShape<typeof LegalAndSupportSettingsSchema> {
  return { ...links, privacyPolicyLink: privacyLink, resourceOwnerType: ownerType(from, instanceId) }
}

/** The age of passwords in a v1 request. */
export function expiryOf(message: { readonly maxAgeDays: number; readonly expireWarnDays: number }): PasswordExpiry {
  return { maxAgeDays: message.maxAgeDays, warnDays: message.expireWarnDays }
}

function expiryNumbers({ maxAgeDays, warnDays }: PasswordExpiry) {
  return { maxAgeDays: BigInt(maxAgeDays), expireWarnDays: BigInt(warnDays) }
}

/** The age of passwords in the v1 services. */
export function ageV1(
  { value, from }: Holding<PasswordExpiry>,
  instanceId: string,
): MessageInitShape<typeof PasswordAgePolicySchema> {
  return { details: settingsDetailsV1(from, instanceId), ...expiryNumbers(value), isDefault: !isOwn(from, instanceId) }
}

/** The age of passwords in the v2 services. */
export function expiryV2(
  { value, from }: Holding<PasswordExpiry>,
  instanceId: string,
): MessageInitShape<typeof PasswordExpirySettingsSchema> {
  return { ...expiryNumbers(value), resourceOwnerType: ownerType(from, instanceId) }
}
