/** docs/reference/errors.md, from the catalogues of refusals and from src/http: every code that a caller can get, and where it is raised. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { STATUS, type Status, statusOfKind } from '../src/http/protocols/status.ts'
import type { RefusalKind } from '../src/kernel/refusal.ts'
import { type GeneratedFile, markdownTable, writeGenerated } from './generated-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Row {
  readonly id: string
  readonly status: Status
  readonly http: number
  readonly sentence: string
  /** Where it is declared. */
  readonly file: string
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
      return [{ id, status, http: status.http, sentence: entry[1], file }]
    }),
  )
}

/** The wire names its failures where it meets them: `status: STATUS.x, http: n, id: 'y', message: 'z'`. */
const failure = /status: STATUS\.(\w+),\s+(?:http: (\d+),\s+)?id: '([^']+)',\s+message(?:: '([^']+)')?/g

function rowsOfWire(file: string): readonly Row[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  const rows = [...text.matchAll(failure)].map(([, name, http, id = '', sentence = 'Says what is wrong.']) => {
    const status = STATUS[name as keyof typeof STATUS]
    return { id, status, http: http ? Number(http) : status.http, sentence, file }
  })
  const named = text.match(/\bid: '/g)?.length ?? 0
  if (rows.length !== named) throw new Error(`${file} names ${named} failures, of which ${rows.length} could be read`)
  return rows
}

const catalogues = globSync('src/**/refusals.ts', { cwd: root }).sort()
const wire = globSync('src/http/**/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|openapi/.test(file))
const rows = [...(await Promise.all(catalogues.map(rowsOfCatalogue))).flat(), ...wire.sort().flatMap(rowsOfWire)]

const byId = new Map(rows.map((row) => [row.id, row]))

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|refusals\.ts$/.test(file))
  .sort()
  .map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')] as const)

/** The files that raise a refusal; where none names it, the one that declares it. */
function raisedIn({ id, file }: Row): string {
  const files = sources.filter(([, text]) => text.includes(`'${id}'`)).map(([name]) => name)
  return (files.length > 0 ? files : [file]).map((name) => `\`${name.replace(/^src\//, '')}\``).join(', ')
}

const table = markdownTable(
  ['Code', 'HTTP', 'gRPC', 'Sentence', 'Raised in (src/)'],
  [...byId.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => {
      const { id, http, status, sentence } = row
      return [`<a id="${id}"></a>\`${id}\``, `${http}`, `${status.code} ${status.connect}`, sentence, raisedIn(row)]
    }),
)

const text = `# Errors

Every refusal carries its code in a detail \`signet.v1.ErrorDetail\`, as \`id\`; codes are never renamed. Fields that break a
rule are named in \`google.rpc.BadRequest\`, and \`google.rpc.Help\` has the address of the error on this page.
A fault of the server says no more than \`internal\` and the request id.
This page is generated from the code by \`npm run gen\`. Do not edit it.

${table}`

export const page: GeneratedFile = { path: 'docs/reference/errors.md', text }

if (import.meta.main) writeGenerated(page)
