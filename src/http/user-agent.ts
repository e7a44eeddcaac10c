/** Describes a browser to its user, by its `user-agent` header. Only shown, never relied on. */
import type { Whereabouts } from '../module/app.ts'
import type { PageRequest } from './page.ts'

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

function find(list: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1]
}

/** “Firefox, Windows”; what is not known is left out, and long text is cut. */
export function describeUserAgent(header: string | undefined): string {
  if (header === undefined) return ''
  const known = [find(BROWSERS, header), find(SYSTEMS, header)].filter((one) => one !== undefined)
  if (known.length > 0) return known.join(', ')
  return header.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 60)
}

/** Where the request of a page comes from. */
export function whereaboutsOf(request: Pick<PageRequest, 'client' | 'header'>): Required<Whereabouts> {
  return { ip: request.client, description: describeUserAgent(request.header('user-agent')) }
}
