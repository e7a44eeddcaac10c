/**
 * Serves the console, the browser application for administrators, at `/ui/console`. Its files are those of the build in
 * `console/dist`, known by name from the start: no path of a request is ever looked up on the disk.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { consoleClientId } from '../features/instances/index.ts'
import { type Page, type PageAnswer, type PageRequest, type Pages, textAnswer } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { PATHS } from './browser.ts'
import { securityHeaders } from './security-headers.ts'

/** Where the console is served. */
export const CONSOLE_PATH = PATHS.console

const DIST = new URL('../../console/dist/', import.meta.url)
const HOW_TO_BUILD = 'The console is not built. To build it, run: npm run build:console'

/** What the build wrote in place of the nonce. */
const NONCE = '__NONCE__'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

export interface ConsoleOptions {
  readonly app: App
  /** The folder of the build. */
  readonly folder?: URL
}

/** The console by path. Without a build there is a page that says how to make one, and the log says it too. */
export function consolePages({ app, folder = DIST }: ConsoleOptions): Pages {
  const headers = securityHeaders(new URL(app.externalUrl))
  const html = readDocument(folder)
  if (html === undefined) {
    app.log.warn(HOW_TO_BUILD)
    const missing = { verbs: ['GET', 'HEAD'], answer: () => ({ ...textAnswer(503, HOW_TO_BUILD), headers }) }
    return new Map([
      [CONSOLE_PATH, missing],
      [`${CONSOLE_PATH}/*`, missing],
    ])
  }
  const document: Page = { verbs: ['GET', 'HEAD'], answer: (request) => answerDocument(request, html, headers) }
  return new Map([
    [CONSOLE_PATH, document],
    [`${CONSOLE_PATH}/*`, document],
    [`${CONSOLE_PATH}/environment.json`, environmentPage(app, headers)],
    ...assetsIn(folder, headers),
  ])
}

function readDocument(folder: URL): string | undefined {
  try {
    return readFileSync(new URL('index.html', folder), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Nothing but our own files. The components write their styles into elements that carry the nonce, and Trusted Types
 * keep any other text from becoming markup.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

function answerDocument(
  request: PageRequest,
  html: string,
  headers: Readonly<Record<string, string>>,
): PageAnswer | Promise<PageAnswer> {
  // A script of an earlier build: the document in its place would be a script that cannot be read.
  if (request.path.startsWith(`${CONSOLE_PATH}/assets/`)) {
    return { ...textAnswer(404, 'There is no such file.'), headers }
  }
  const nonce = randomBytes(18).toString('base64')
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: html.replaceAll(NONCE, nonce),
    headers: { ...headers, 'content-security-policy': contentSecurityPolicy(nonce) },
  }
}

/** What the console must know before it can sign in. */
function environmentPage(app: App, headers: Readonly<Record<string, string>>): Page {
  return {
    verbs: ['GET', 'HEAD'],
    answer: async () => ({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        issuer: app.externalUrl,
        clientId: await consoleClientId(app),
        version: app.version,
      }),
      headers,
    }),
  }
}

interface Encodings {
  readonly br?: URL
  readonly gzip?: URL
}

function* assetsIn(folder: URL, headers: Readonly<Record<string, string>>): Generator<[string, Page]> {
  const names = new Set(readdirSync(new URL('assets/', folder)))
  for (const name of names) {
    const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (contentType === undefined) continue
    const at = (file: string) => new URL(`assets/${file}`, folder)
    const encodings: Encodings = {
      ...(names.has(`${name}.br`) && { br: at(`${name}.br`) }),
      ...(names.has(`${name}.gz`) && { gzip: at(`${name}.gz`) }),
    }
    yield [`${CONSOLE_PATH}/assets/${name}`, assetPage({ file: at(name), contentType, encodings, headers })]
  }
}

interface Asset {
  readonly file: URL
  readonly contentType: string
  readonly encodings: Encodings
  readonly headers: Readonly<Record<string, string>>
}

/** A file whose name carries a hash of its content, read when it is first asked for. */
function assetPage({ file, contentType, encodings, headers }: Asset): Page {
  const bodies = new Map<string, Promise<Uint8Array>>()
  const read = (url: URL): Promise<Uint8Array> => {
    const known = bodies.get(url.href)
    if (known !== undefined) return known
    const body = readFile(url)
    bodies.set(url.href, body)
    body.catch(() => bodies.delete(url.href))
    return body
  }
  const kept = {
    ...headers,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  }
  return {
    verbs: ['GET', 'HEAD'],
    async answer(request) {
      const encoding = chooseEncoding(request.header('accept-encoding'), encodings)
      const body = await read((encoding && encodings[encoding]) ?? file)
      return { status: 200, contentType, body, headers: encoding ? { ...kept, 'content-encoding': encoding } : kept }
    },
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
