/** The meaning of the settings for login pages: the built-in ones, and which are invalid. Pure. */
import { isEmailAddress } from '../../kernel/email-address.ts'
import type { ThemeColors } from '../../theme/theme.ts'
import { type Forms, flag, group, oneOf, text } from './forms.ts'
import type { SettingsRefusal } from './refusals.ts'
import type { Branding, LegalLinks } from './values.ts'

const NO_COLORS = { primaryColor: '', backgroundColor: '', warnColor: '', fontColor: '' }

/** The built-in look: the colors of the pages, and the theme that the browser prefers. */
export const BUILT_IN_BRANDING: Branding = Object.freeze({
  light: NO_COLORS,
  dark: NO_COLORS,
  hidesLoginNameSuffix: false,
  disablesWatermark: false,
  themeMode: 'auto',
})

const COLORS = group<ThemeColors>({
  primaryColor: text(50),
  backgroundColor: text(50),
  warnColor: text(50),
  fontColor: text(50),
})

/** What the members of a look can be, without its files. */
export const brandingForms: Forms<Omit<Branding, 'assets'>> = {
  light: COLORS,
  dark: COLORS,
  hidesLoginNameSuffix: flag,
  disablesWatermark: flag,
  themeMode: oneOf('auto', 'dark', 'light'),
}

// Pages put them into style sheets: anything but a color could load or hide things there.
const COLOR = /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}))?$/i

/** Why a look is invalid. */
export function brandingProblem({ light, dark }: Branding): SettingsRefusal | undefined {
  const colors = [...Object.values(light), ...Object.values(dark)]
  return colors.every((color) => COLOR.test(color)) ? undefined : 'settings.color_invalid'
}

/** Whether a browser can follow a link. It may contain placeholders such as `{{.Lang}}`. */
function isLink(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) && URL.canParse(text))
}

/** Why links are invalid. */
export function legalProblem({ supportEmail, customLinkText: _, ...links }: LegalLinks): SettingsRefusal | undefined {
  if (!Object.values(links).every(isLink)) return 'settings.link_invalid'
  return supportEmail === '' || isEmailAddress(supportEmail) ? undefined : 'settings.support_email_invalid'
}
