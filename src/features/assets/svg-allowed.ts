/** What may stay in an uploaded SVG: shapes, text, gradients, and references to its own parts. Pure. */

const ELEMENTS = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'title',
  'desc',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
  'pattern',
  'style',
])

const PROPERTIES = new Set([
  'clip-path',
  'clip-rule',
  'color',
  'display',
  'dominant-baseline',
  'fill',
  'fill-opacity',
  'fill-rule',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'mask',
  'mix-blend-mode',
  'opacity',
  'paint-order',
  'stop-color',
  'stop-opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'text-anchor',
  'vector-effect',
  'visibility',
])

const ATTRIBUTES = new Set([
  ...PROPERTIES,
  'id',
  'class',
  'cx',
  'cy',
  'd',
  'dx',
  'dy',
  'fx',
  'fy',
  'gradientTransform',
  'gradientUnits',
  'height',
  'maskContentUnits',
  'maskUnits',
  'clipPathUnits',
  'offset',
  'pathLength',
  'patternContentUnits',
  'patternTransform',
  'patternUnits',
  'points',
  'preserveAspectRatio',
  'r',
  'role',
  'rx',
  'ry',
  'spreadMethod',
  'textLength',
  'transform',
  'version',
  'viewBox',
  'width',
  'x',
  'x1',
  'x2',
  'y',
  'y1',
  'y2',
])

/** Whether an element may stay. */
export function isAllowedElement(name: string): boolean {
  return ELEMENTS.has(name)
}

/** Whether a value refers to nothing outside the file, and hides nothing behind an escape. */
function isHarmless(value: string): boolean {
  if (/[\\@<>{}]|\/\*|\/\/|javascript:|data:|expression/i.test(value)) return false
  if (/(?:image|image-set|src|cross-fade|element|paint|attr)\s*\(/i.test(value)) return false
  return [...value.matchAll(/url\s*\(([^)]*)\)?/gi)].every(([, target = '']) =>
    /^\s*["']?#[\w.-]+["']?\s*$/.test(target),
  )
}

/** The declarations of a `style` attribute that may stay. */
function cleanStyle(value: string): string {
  return value
    .split(';')
    .map((declaration) => declaration.split(':', 2).map((part) => part.trim()))
    .filter(
      ([property = '', given = '']) => PROPERTIES.has(property.toLowerCase()) && given !== '' && isHarmless(given),
    )
    .map(([property, given]) => `${property}:${given}`)
    .join(';')
}

function withoutComments(sheet: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = sheet.indexOf('/*', at)
    if (start < 0) return parts.join('') + sheet.slice(at)
    parts.push(sheet.slice(at, start))
    const end = sheet.indexOf('*/', start + 2)
    if (end < 0) return parts.join('')
    at = end + 2
  }
}

/** Where the block that opens at a position ends; undefined when it does not. */
function endOfBlock(sheet: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < sheet.length; at++) {
    if (sheet[at] === '{') depth++
    if (sheet[at] === '}' && --depth === 0) return at
  }
  return undefined
}

/**
 * The rules of a style sheet that may stay: plain selectors with harmless declarations, no `@` rules. Every character is
 * looked at a fixed number of times: expressions that search from each position would take minutes for half a megabyte.
 */
export function allowedRules(sheet: string): string {
  const plain = withoutComments(sheet)
  const rules: string[] = []
  let at = 0
  for (;;) {
    const open = plain.indexOf('{', at)
    const end = open < 0 ? undefined : endOfBlock(plain, open)
    if (end === undefined) return rules.join('')
    // What ends with a semicolon before the block is a statement of its own, such as `@import`.
    const before = plain.slice(at, open)
    const selector = before.slice(before.lastIndexOf(';') + 1).trim()
    const block = plain.slice(open + 1, end)
    const declarations = block.includes('{') || selector.startsWith('@') ? '' : cleanStyle(block)
    if (/^[\w\s.#,*-]+$/.test(selector) && declarations !== '') rules.push(`${selector}{${declarations}}`)
    at = end + 1
  }
}

/** The value with which an attribute may stay; undefined when it may not. */
export function allowedValue(name: string, value: string): string | undefined {
  if (name === 'href' || name === 'xlink:href') return /^#[\w.-]+$/.test(value.trim()) ? value.trim() : undefined
  if (name === 'style') return cleanStyle(value) || undefined
  return ATTRIBUTES.has(name) && isHarmless(value) ? value : undefined
}
