/**
 * The files that a build wrote into a folder, as answers. They are known by name: no path of a request is ever looked up
 * on the disk. Compressed forms are files beside them.
 */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PageAnswer, PageRequest } from '../http/page.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** For files whose names carry a hash of their content. */
export const KEPT_FOREVER = 'public, max-age=31536000, immutable'

interface Encodings {
  readonly br?: URL
  readonly gzip?: URL
}

export interface BuiltFile {
  /** Its path below the folder. */
  readonly name: string
  answer(request: PageRequest, headers: Readonly<Record<string, string>>): Promise<PageAnswer>
}

/** The files in a folder and below it; with `isKept`, what was read once stays in memory. */
export function* builtFilesIn(folder: URL, { isKept }: { readonly isKept: boolean }): Generator<BuiltFile> {
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const read = isKept ? readOnce() : (url: URL) => readFile(url)
  for (const name of names) {
    const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (contentType === undefined) continue
    const encodings: Encodings = {
      ...(names.has(`${name}.br`) && { br: new URL(`${name}.br`, folder) }),
      ...(names.has(`${name}.gz`) && { gzip: new URL(`${name}.gz`, folder) }),
    }
    yield {
      name,
      async answer(request, headers) {
        const encoding = chooseEncoding(request.header('accept-encoding'), encodings)
        const body = await read((encoding && encodings[encoding]) ?? new URL(name, folder))
        const all = { ...headers, vary: 'accept-encoding', ...(encoding && { 'content-encoding': encoding }) }
        return { status: 200, contentType, body, headers: all }
      },
    }
  }
}

function readOnce(): (url: URL) => Promise<Uint8Array> {
  const bodies = new Map<string, Promise<Uint8Array>>()
  return (url) => {
    const known = bodies.get(url.href)
    if (known !== undefined) return known
    const body = readFile(url)
    bodies.set(url.href, body)
    body.catch(() => bodies.delete(url.href))
    return body
  }
}

/** RFC 9110 §12.5.3: brotli where the client accepts it, else gzip, else neither. */
function chooseEncoding(accepted: string | undefined, available: Encodings): keyof Encodings | undefined {
  const codings = (accepted ?? '').split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q\s*=\s*/),
  )
  const accepts = (name: string) => codings.some(([coding, weight = '1']) => coding === name && Number(weight) > 0)
  if (available.br && accepts('br')) return 'br'
  return available.gzip && accepts('gzip') ? 'gzip' : undefined
}
