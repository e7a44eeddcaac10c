/**
 * Serves the console, the browser application for administrators, at `/ui/console`. Its files are those of the build in
 * `console/dist`, known by name from the start: no path of a request is ever looked up on the disk.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { consoleClientId } from '../features/instances/index.ts'
import { type Page, type PageAnswer, type PageRequest, type Pages, textAnswer } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { PATHS } from './browser.ts'
import { builtFilesIn, KEPT_FOREVER } from './built-files.ts'
import { securityHeaders } from './security-headers.ts'

/** Where the console is served. */
const CONSOLE_PATH = PATHS.console

const DIST = new URL('../../console/dist/', import.meta.url)
const HOW_TO_BUILD = 'The console is not built. To build it, run: npm run build:console'

/** What the build wrote in place of the nonce. */
const NONCE = '__NONCE__'

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

function* assetsIn(folder: URL, headers: Readonly<Record<string, string>>): Generator<[string, Page]> {
  const kept = { ...headers, 'cache-control': KEPT_FOREVER }
  for (const { name, answer } of builtFilesIn(new URL('assets/', folder), { isKept: true })) {
    yield [`${CONSOLE_PATH}/assets/${name}`, { verbs: ['GET', 'HEAD'], answer: (request) => answer(request, kept) }]
  }
}
