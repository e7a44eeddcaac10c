/** The colors of pages and mails: the built-in ones, and those that follow from the colors of a brand. Pure. */
import { BORDER_CONTRAST, mix, opaque, readableOn, textOn, tinted } from './colors.ts'

/** Colors, hexadecimal such as `#5469d4`; an empty one is that of the page. */
export interface ThemeColors {
  readonly primaryColor: string
  readonly backgroundColor: string
  readonly warnColor: string
  readonly fontColor: string
}

/** Every color of a page, by what it is used for. */
export interface Theme {
  readonly ground: string
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly fieldLine: string
  readonly accent: string
  readonly accentStrong: string
  readonly button: string
  readonly buttonStrong: string
  readonly onButton: string
  readonly tint: string
  readonly wrong: string
  readonly wrongTint: string
}

/** The built-in colors. */
export const BUILT_IN_THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    ground: '#f4f6f9',
    paper: '#ffffff',
    ink: '#1c2733',
    soft: '#5b6774',
    line: '#e1e6ec',
    fieldLine: '#808b98',
    accent: '#1f5fd0',
    accentStrong: '#184da9',
    button: '#1f5fd0',
    buttonStrong: '#184da9',
    onButton: '#ffffff',
    tint: '#f1f4f8',
    wrong: '#b3261e',
    wrongTint: '#fdf2f1',
  },
  dark: {
    ground: '#111418',
    paper: '#1b2027',
    ink: '#e8ebef',
    soft: '#9aa4b1',
    line: '#2c333d',
    fieldLine: '#75808e',
    accent: '#8ab4ff',
    accentStrong: '#b0cdff',
    button: '#3b6fd8',
    buttonStrong: '#3161c2',
    onButton: '#ffffff',
    tint: '#242b34',
    wrong: '#ff9d96',
    wrongTint: '#352220',
  },
}

/** The surfaces and the text of a brand with its own background or text color. */
function surfaces(base: Theme, { backgroundColor, fontColor }: ThemeColors): Theme {
  if (backgroundColor === '' && fontColor === '') return base
  // Cards have the color of the background, so that one text color can be read everywhere.
  const paper = backgroundColor === '' ? base.paper : opaque(backgroundColor)
  const ground = backgroundColor === '' ? base.ground : paper
  const ink = readableOn(opaque(fontColor === '' ? base.ink : fontColor), [paper, ground])
  const tint = tinted(paper, ink, 0.06)
  const wrongTint = tinted(paper, base.wrong, 0.08)
  return {
    ...base,
    ground,
    paper,
    ink,
    tint,
    soft: readableOn(mix(ink, paper, 0.3), [paper, tint, ground]),
    line: mix(paper, ink, 0.15),
    fieldLine: readableOn(mix(paper, ink, 0.4), [paper], BORDER_CONTRAST),
    accent: readableOn(base.accent, [paper, tint]),
    accentStrong: readableOn(base.accentStrong, [paper, tint]),
    wrongTint,
    wrong: readableOn(base.wrong, [paper, wrongTint]),
  }
}

/**
 * The colors that follow from those of a brand; those that are not set are the built-in ones. Text that could not be read
 * on its ground is made darker or lighter, and text on buttons is black or white.
 */
export function themeOf(colors: ThemeColors, scheme: 'light' | 'dark'): Theme {
  const theme = surfaces(BUILT_IN_THEMES[scheme], colors)
  const { primaryColor, warnColor } = colors
  const button = primaryColor === '' ? theme.button : opaque(primaryColor)
  const onButton = primaryColor === '' ? theme.onButton : textOn(button)
  const accent = primaryColor === '' ? theme.accent : readableOn(button, [theme.paper, theme.tint])
  const warn = warnColor === '' ? undefined : opaque(warnColor)
  const wrongTint = warn === undefined ? theme.wrongTint : tinted(theme.paper, warn, 0.08)
  return {
    ...theme,
    button,
    onButton,
    // Away from the color of its text, so that the contrast only grows.
    buttonStrong: primaryColor === '' ? theme.buttonStrong : mix(button, textOn(onButton), 0.15),
    accent,
    accentStrong: primaryColor === '' ? theme.accentStrong : mix(accent, textOn(theme.paper), 0.2),
    wrongTint,
    wrong: warn === undefined ? theme.wrong : readableOn(warn, [theme.paper, wrongTint]),
  }
}
