/** Colors as numbers: contrast as WCAG 2.2 defines it, mixtures, and colors that can be read on others. Pure. */

/** The lowest contrast of text (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5

/** The lowest contrast of borders of fields (WCAG 2.2, 1.4.11). */
export const BORDER_CONTRAST = 3

type Rgb = readonly [number, number, number]

/** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; transparency is ignored. */
function rgbOf(color: string): Rgb {
  const digits = color.slice(1)
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** The color in six hexadecimal digits. */
export function opaque(color: string): string {
  return hexOf(rgbOf(color))
}

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** A color with a share of another one. */
export function mix(color: string, other: string, share: number): string {
  const [to, from] = [rgbOf(other), rgbOf(color)]
  const part = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * share
  return hexOf([part(0), part(1), part(2)])
}

/** Black or white, whichever can be read better on a color; one of them always reaches 4.5. */
export function textOn(color: string): string {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000'
}

/**
 * The color itself if it can be read on all grounds; otherwise the nearest mixture that can, with black or white,
 * whichever can be read better on the first ground.
 */
export function readableOn(color: string, grounds: readonly [string, ...string[]], least = TEXT_CONTRAST): string {
  const towards = textOn(grounds[0])
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, towards, share)
    if (grounds.every((ground) => contrast(mixed, ground) >= least)) return mixed
  }
  return towards
}

/** A ground with a touch of a color, unless the text that is best on the ground could not be read on it. */
export function tinted(ground: string, color: string, share: number): string {
  const mixed = mix(ground, color, share)
  return contrast(textOn(ground), mixed) >= TEXT_CONTRAST ? mixed : ground
}
