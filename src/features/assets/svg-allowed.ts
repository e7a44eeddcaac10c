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
  if (/[\\@<>{}]|\/\*|:\s*\/\/|javascript:|data:|expression/i.test(value)) return false
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

/** The rules of a style sheet that may stay: plain selectors with harmless declarations, no `@` rules. */
export function allowedRules(sheet: string): string {
  const plain = sheet
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replaceAll(/@[^{;]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})/g, '')
  const rules = plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)
  return [...rules]
    .map(([, selector = '', declarations = '']) => [selector.trim(), cleanStyle(declarations)] as const)
    .filter(([selector, declarations]) => /^[\w\s.#,*-]+$/.test(selector) && declarations !== '')
    .map(([selector, declarations]) => `${selector}{${declarations}}`)
    .join('')
}

/** The value with which an attribute may stay; undefined when it may not. */
export function allowedValue(name: string, value: string): string | undefined {
  if (name === 'href' || name === 'xlink:href') return /^#[\w.-]+$/.test(value.trim()) ? value.trim() : undefined
  if (name === 'style') return cleanStyle(value) || undefined
  return ATTRIBUTES.has(name) && isHarmless(value) ? value : undefined
}
