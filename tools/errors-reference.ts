/** Writes docs/reference/errors.md from the catalogues of refusals and from the wire: every code that a caller can meet. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { STATUS, type Status, statusOfKind } from '../src/http/status.ts'
import type { RefusalKind } from '../src/kernel/refusal.ts'
import { markdownTable, writeReferencePage } from './reference-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Row {
  readonly id: string
  readonly status: Status
  readonly http: number
  readonly sentence: string
}

function isRefusal(value: unknown): value is readonly [RefusalKind, string] {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' && String(value[0]) in STATUS
}

async function rowsOfCatalogue(file: string): Promise<readonly Row[]> {
  const exports: Record<string, unknown> = await import(`${root}/${file}`)
  const catalogues = Object.values(exports).filter((value) => typeof value === 'object' && value !== null)
  return catalogues.flatMap((catalogue) =>
    Object.entries(catalogue as Record<string, unknown>).flatMap(([id, entry]) => {
      if (!isRefusal(entry)) return []
      const status = statusOfKind(entry[0])
      return [{ id, status, http: status.http, sentence: entry[1] }]
    }),
  )
}

/** The wire names its failures where it meets them: `status: STATUS.x, http: n, id: 'y', message: 'z'`. */
const failure = /status: STATUS\.(\w+),\s+(?:http: (\d+),\s+)?id: '([^']+)',\s+message(?:: '([^']+)')?/g

function rowsOfWire(file: string): readonly Row[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  const rows = [...text.matchAll(failure)].map(([, name, http, id = '', sentence = 'Describes the problem.']) => {
    const status = STATUS[name as keyof typeof STATUS]
    return { id, status, http: http ? Number(http) : status.http, sentence }
  })
  const named = text.match(/\bid: '/g)?.length ?? 0
  if (rows.length !== named) throw new Error(`${file} names ${named} failures, of which ${rows.length} could be read`)
  return rows
}

const catalogues = globSync('src/**/refusals.ts', { cwd: root }).sort()
const wire = globSync('src/http/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|openapi/.test(file))
const rows = [...(await Promise.all(catalogues.map(rowsOfCatalogue))).flat(), ...wire.sort().flatMap(rowsOfWire)]

const byId = new Map(rows.map((row) => [row.id, row]))
const table = markdownTable(
  ['Code', 'HTTP', 'gRPC', 'Message'],
  [...byId.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, http, status, sentence }) => [`\`${id}\``, `${http}`, `${status.code} ${status.connect}`, sentence]),
)

const text = `# Errors

Every error has a stable code: the \`id\` of its \`signet.v1.ErrorDetail\`. Codes are never renamed. Messages may change.
Invalid fields are listed in \`google.rpc.BadRequest\`. An internal error contains only \`internal\` and the request ID.
This page is generated from the code by \`node tools/errors-reference.ts\`. Do not edit it.

${table}`

writeReferencePage('errors.md', 'tools/errors-reference.ts', text)
