/** The style sheets with the colors and the font of a look. Pure. */
import type { Brand } from '../features/settings/index.ts'
import { BUILT_IN_THEMES, type Theme } from '../theme/theme.ts'

const SCHEMES = { auto: 'light dark', light: 'light', dark: 'dark' } as const

/** `fieldLine` is `--field-line`. */
function variable(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function rules({ light, dark, themeMode }: Pick<Brand, 'light' | 'dark' | 'themeMode'>): string {
  const names = Object.keys(light) as (keyof Theme)[]
  const colors = names.map((name) => `${variable(name)}:light-dark(${light[name]},${dark[name]})`)
  return `:root{color-scheme:${SCHEMES[themeMode]};${colors.join(';')}}\n`
}

/** The built-in colors. */
export function builtInSheet(): string {
  return rules({ ...BUILT_IN_THEMES, themeMode: 'auto' })
}

/** The colors and the font of a look; colors and paths of files are the only values in it. */
export function brandSheet(brand: Brand): string {
  const { font } = brand.files
  if (font === undefined) return rules(brand)
  return `@font-face{font-family:brand;src:url("${font}");font-display:swap}\nbody{font-family:brand,system-ui,sans-serif}\n${rules(brand)}`
}
