/** How well two colours can be told apart (WCAG 2.2 §1.4.3). Pure. */

/** The least contrast of text. */
export const TEXT_CONTRAST = 4.5

/** The parts of `#rgb` or `#rrggbb` from 0 to 255; undefined for anything else. */
function channelsOf(color: string): readonly number[] | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim())?.[1]
  if (digits === undefined) return undefined
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
}

/** Whether it is a colour such as `#5469d4`. */
export function isColor(text: string): boolean {
  return channelsOf(text) !== undefined
}

function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21; undefined when one of them is no colour. */
export function contrastOf(one: string, other: string): number | undefined {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  if (first === undefined || second === undefined) return undefined
  const [darker = 0, lighter = 0] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever can be read better on the colour. */
export function textOn(color: string): string {
  return (contrastOf(color, '#ffffff') ?? 21) >= (contrastOf(color, '#000000') ?? 0) ? '#ffffff' : '#000000'
}
