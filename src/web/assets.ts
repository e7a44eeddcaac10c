/** The files that pages refer to. Their names carry a hash of their content, so that browsers may keep them indefinitely. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { documentPage, type Pages } from '../http/page.ts'
import { builtInSheet } from './brand-sheet.ts'

function readAsset(files: readonly string[], ending: string, contentType: string, before = '') {
  const parts = files.map((file) => readFileSync(new URL(`./assets/${file}`, import.meta.url)))
  const body = Buffer.concat([Buffer.from(before), ...parts])
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { path: `/assets/signet-${hash}.${ending}`, contentType, body }
}

/** How every page looks. */
export const STYLESHEET = readAsset(
  ['base.css', 'forms.css', 'lists.css', 'account.css', 'providers.css'],
  'css',
  'text/css; charset=utf-8',
  builtInSheet(),
)
/** The seal in the browser's tab. */
export const ICON = readAsset(['seal.svg'], 'svg', 'image/svg+xml')

/** What asks the browser for passkeys; pages without passkeys work without it. */
export const SCRIPT = readAsset(['passkeys.js'], 'js', 'text/javascript; charset=utf-8')

/** What writes times in the time zone of the browser. */
export const TIMES_SCRIPT = readAsset(['times.js'], 'js', 'text/javascript; charset=utf-8')

/** What shows typed passwords, copies lists and makes pictures smaller; pages work without it. */
export const FIELDS_SCRIPT = readAsset(['shrink.js', 'fields.js'], 'js', 'text/javascript; charset=utf-8')

/** The assets by path, with the headers that all pages have, except that they may be kept. */
export function assetPages(headers: Readonly<Record<string, string>>): Pages {
  return new Map(
    [STYLESHEET, ICON, SCRIPT, TIMES_SCRIPT, FIELDS_SCRIPT].map(({ path, contentType, body }) => {
      const kept = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' }
      return [path, documentPage(() => ({ status: 200, contentType, body, headers: kept }))]
    }),
  )
}
