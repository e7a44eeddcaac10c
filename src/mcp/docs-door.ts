/**
 * The documentation for agents, by the Model Context Protocol at `/mcp/docs`: anonymous, because everybody may read it at
 * `/ui/docs`, and with nothing else behind it. Two tools: search, and read a page.
 */
import { type Page, type PageAnswer, type Pages, UnreadableForm } from '../http/page.ts'
import { DOCS_DOOR_PATH } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import type { ToolAnswer } from './call-tool.ts'
import type { DocsIndex } from './docs-index.ts'
import type { ToolDescription } from './tools.ts'

const DIST = new URL('../../docs/dist/', import.meta.url)
const MAX_BYTES = 64 * 1024
const MOST_RESULTS = 20
const LONGEST_QUERY = 400

const INSTRUCTIONS = 'The documentation of the identity server Signet. Search it, then read the pages that were found.'

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

const TOOLS: readonly ToolDescription[] = [
  {
    name: 'search',
    title: 'Search',
    description: `Finds sections of the documentation by their words. At most ${MOST_RESULTS} results, the best ones first.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: LONGEST_QUERY } },
      required: ['query'],
    },
    annotations: READ_ONLY,
  },
  {
    name: 'read',
    title: 'Read',
    description:
      'Reads a page that a search has found, such as guides/protect-an-api.md. Long pages are read from an offset.',
    inputSchema: {
      type: 'object',
      properties: { page: { type: 'string', maxLength: LONGEST_QUERY }, offset: { type: 'integer', minimum: 0 } },
      required: ['page'],
    },
    annotations: READ_ONLY,
  },
]

function wrong(message: string): ToolAnswer {
  return { text: message, isWrong: true }
}

/** As many characters as fit into an answer, in bytes. */
function pageFrom(text: string, offset: number): ToolAnswer {
  const rest = text.slice(offset)
  // Room for the frame of the answer, and for what JSON escapes.
  const part = rest.slice(0, MAX_BYTES / 4)
  const more = part.length < rest.length ? `\n\n(Continues at offset ${offset + part.length}.)` : ''
  return { text: part + more }
}

function callTool(index: DocsIndex, name: string, input: unknown): ToolAnswer | undefined {
  const { query, page, offset = 0 } = (input ?? {}) as Readonly<Record<string, unknown>>
  if (name === 'search') {
    if (typeof query !== 'string' || query.trim() === '' || query.length > LONGEST_QUERY)
      return wrong(`query must be 1 to ${LONGEST_QUERY} characters.`)
    return { text: JSON.stringify(index.search(query, MOST_RESULTS)) }
  }
  if (name !== 'read') return undefined
  const text = typeof page === 'string' ? index.page(page) : undefined
  if (text === undefined) return wrong('There is no such page. Use a name that a search has found.')
  if (!Number.isSafeInteger(offset) || (offset as number) < 0) return wrong('offset must be a whole number from 0.')
  return pageFrom(text, offset as number)
}

function json(status: number, body: unknown): PageAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

interface Loaded {
  readonly index: DocsIndex | undefined
  readonly library: typeof import('./library.ts')
}

async function load(folder: URL): Promise<Loaded> {
  const [library, { openDocsIndex }] = await Promise.all([import('./library.ts'), import('./docs-index.ts')])
  return { library, index: openDocsIndex(folder) }
}

/** The page for agents that read; `folder` has the build of the documentation. */
export function docsDoorPages(app: App, folder = DIST): Pages {
  let loading: Promise<Loaded> | undefined
  const door: Page = {
    verbs: ['POST'],
    async answer(request) {
      try {
        const body = await request.readJson(MAX_BYTES)
        if (Array.isArray(body)) return json(400, { error: 'invalid_request', error_description: 'Send one message.' })
        loading ??= load(folder)
        const { index, library } = await loading
        if (index === undefined) return json(503, { error: 'temporarily_unavailable' })
        const toolbox = {
          version: app.version,
          instructions: INSTRUCTIONS,
          list: () => TOOLS,
          call: async (name: string, input: unknown) => callTool(index, name, input),
        }
        return await library.answerPage(toolbox, request, `${app.externalUrl}${DOCS_DOOR_PATH}`, body)
      } catch (error) {
        if (!(error instanceof UnreadableForm)) throw error
        return json(error.status, {
          error: 'invalid_request',
          error_description: 'The body is not JSON, or is too long.',
        })
      }
    },
  }
  return new Map([[DOCS_DOOR_PATH, door]])
}
