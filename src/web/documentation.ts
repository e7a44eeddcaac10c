/**
 * Serves the documentation at `/ui/docs`. Its files are those of the build in `docs/dist`; the folder is listed when
 * somebody first opens a page, so that a start costs nothing.
 */
import { createHash } from 'node:crypto'
import { type Page, type PageAnswer, type PageRequest, type Pages, textAnswer } from '../http/page.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { type BuiltFile, builtFilesIn, KEPT_FOREVER } from './built-files.ts'
import { securityHeaders } from './security-headers.ts'

const DIST = new URL('../../docs/dist/', import.meta.url)
const HOW_TO_BUILD = 'The documentation is not built. To build it, run: npm run build:docs'

/** Our own files only, and nothing inline. The site renders its pages as markup, hence no Trusted Types. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export interface DocumentationOptions {
  readonly app: App
  /** The folder of the build. */
  readonly folder?: URL
}

/** The documentation by path; without a build, a page that says how to make one. */
export function documentationPages({ app, folder = DIST }: DocumentationOptions): Pages {
  const headers = { ...securityHeaders(new URL(app.externalUrl)), 'content-security-policy': POLICY }
  let files: ReadonlyMap<string, BuiltFile> | undefined
  const pageAt = (pathOf: (request: PageRequest) => string): Page => ({
    verbs: ['GET', 'HEAD'],
    answer(request) {
      files ??= filesIn(folder)
      if (files === undefined) return { ...textAnswer(503, HOW_TO_BUILD), headers }
      return answerFile(request, pathOf(request), files, headers)
    },
  })
  const page = pageAt(({ path }) => path.slice(PATHS.docs.length + 1))
  return new Map([
    [PATHS.docs, page],
    [`${PATHS.docs}/*`, page],
    // Where agents look for them: https://llmstxt.org.
    ...['llms.txt', 'llms-full.txt'].map((name): [string, Page] => [`/${name}`, pageAt(() => name)]),
  ])
}

/** The files by the path at which they are served: pages without `.html`, and that of a folder by the folder's name. */
function filesIn(folder: URL): ReadonlyMap<string, BuiltFile> | undefined {
  try {
    const files = [...builtFilesIn(folder, { isKept: false })]
    const pathOf = (name: string) => name.replace(/\.html$/, '').replace(/(^|\/)index$/, '')
    return files.length === 0 ? undefined : new Map(files.map((file) => [pathOf(file.name), file]))
  } catch {
    return undefined
  }
}

const NOT_FOUND = '404'

async function answerFile(
  request: PageRequest,
  asked: string,
  files: ReadonlyMap<string, BuiltFile>,
  headers: Readonly<Record<string, string>>,
): Promise<PageAnswer> {
  const path = asked.replace(/(\.html|\/)$/, '')
  const file = path === NOT_FOUND ? undefined : files.get(path)
  if (file === undefined) return await answerMissing(request, files.get(NOT_FOUND), headers)
  if (file.name.startsWith('assets/')) return await file.answer(request, { ...headers, 'cache-control': KEPT_FOREVER })
  const answer = await file.answer(request, { ...headers, 'cache-control': 'no-cache' })
  const etag = `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 22)}"`
  const isKnown = request.header('if-none-match')?.includes(etag) === true
  return { ...answer, ...(isKnown && { status: 304, body: '' }), headers: { ...answer.headers, etag } }
}

async function answerMissing(
  request: PageRequest,
  page: BuiltFile | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<PageAnswer> {
  const isPage = !request.path.startsWith(`${PATHS.docs}/assets/`)
  if (page === undefined || !isPage) return { ...textAnswer(404, 'There is no such page.'), headers }
  return { ...(await page.answer(request, headers)), status: 404 }
}
