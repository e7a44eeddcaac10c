/** The look of the hosted pages: the colours that are set, over the built-in ones. Pure. */
import { isColor, textOn } from './contrast.ts'

export type Scheme = 'light' | 'dark'

/** What can be set for each scheme. */
export const COLORS = ['primaryColor', 'backgroundColor', 'fontColor', 'warnColor'] as const

export type ColorName = (typeof COLORS)[number]

/** The built-in colours. */
export const BUILT_IN: Readonly<Record<Scheme, Readonly<Record<ColorName, string>>>> = {
  light: { primaryColor: '#1f5fd0', backgroundColor: '#ffffff', fontColor: '#1c2733', warnColor: '#b3261e' },
  dark: { primaryColor: '#3b6fd8', backgroundColor: '#1b2027', fontColor: '#e8ebef', warnColor: '#ff9d96' },
}

/** The name of the field of a colour in a scheme. */
export function fieldOf(name: ColorName, scheme: Scheme): `${ColorName}${'' | 'Dark'}` {
  return scheme === 'dark' ? `${name}Dark` : name
}

export type ColorValues = Readonly<Record<`${ColorName}${'' | 'Dark'}`, string>>

/** The values of the form of a brand. */
export interface BrandingValues extends ColorValues, Record<string, unknown> {
  themeMode: 'auto' | 'light' | 'dark'
  disableWatermark: boolean
  hideLoginNameSuffix: boolean
}

export interface Look extends Readonly<Record<ColorName, string>> {
  readonly onPrimary: string
}

/** The colours of a scheme; what is empty or no colour is built in. */
export function lookOf(values: ColorValues, scheme: Scheme): Look {
  const found = Object.fromEntries(
    COLORS.map((name) => {
      const given = values[fieldOf(name, scheme)]
      return [name, isColor(given) ? given : BUILT_IN[scheme][name]]
    }),
  ) as Record<ColorName, string>
  return { ...found, onPrimary: textOn(found.primaryColor) }
}
