/** Serves the API explorer at `/ui/api`. It is part of the console's build, and its scripts are served with it. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Page, type Pages, textAnswer } from '../http/page.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { securityHeaders } from './security-headers.ts'

/** Where the API explorer is served. */

const DIST = new URL('../../console/dist/', import.meta.url)

export interface ApiExplorerOptions {
  readonly app: App
  /** The folder of the console's build. */
  readonly folder?: URL
}

/**
 * Scripts, requests and fonts from ourselves only. The explorer writes style elements and attributes without a nonce,
 * hence `unsafe-inline` for styles alone, and it renders descriptions as markup, hence no Trusted Types.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

function readDocument(folder: URL): string | undefined {
  try {
    return readFileSync(new URL('api.html', folder), 'utf8')
  } catch {
    return undefined
  }
}

/** The explorer by path; without a build of the console, a page that says so. */
export function apiExplorerPages({ app, folder = DIST }: ApiExplorerOptions): Pages {
  const headers = { ...securityHeaders(new URL(app.externalUrl)), 'content-security-policy': POLICY }
  const html = readDocument(folder)
  const page: Page = {
    verbs: ['GET', 'HEAD'],
    answer: () =>
      html === undefined
        ? { ...textAnswer(503, 'The console is not built. To build it, run: npm run build:console'), headers }
        : {
            status: 200,
            contentType: 'text/html; charset=utf-8',
            // The build expects a nonce here; the policy of this page does not use it.
            body: html.replaceAll('__NONCE__', randomBytes(18).toString('base64')),
            headers,
          },
  }
  return new Map([[PATHS.explorer, page]])
}
