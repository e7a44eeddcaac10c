/**
 * An export that shipped is imported by every later version. `export.ndjson` was made of `full-instance.ts`, with the
 * passphrase of the tests, and never changes; `export-documents.ndjson` has the documents that it becomes. When the fold of
 * a kind changes, its documents keep every member of before; `SIGNET_WRITE_GOLDEN=yes` writes today’s.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openArchive } from '../../src/cli/archive/read-archive.ts'
import { carrierOf } from '../../src/cli/carriers.ts'
import { exportInstance } from '../../src/cli/export/instance.ts'
import type { MoveSummary } from '../../src/cli/import/report.ts'
import { writeDraft } from '../../src/cli/import/write/index.ts'
import { withApp } from '../../src/cli/maintain.ts'
import type { Config } from '../../src/config/index.ts'
import type { Draft } from '../../src/module/carried.ts'
import { kinds } from '../../src/modules.ts'
import { carriedDocuments, EmptyPlaces, importInto, PASSPHRASE, URL_OF_ALL } from '../support/carried-documents.ts'
import { bothEngines } from '../support/engines.ts'
import { makeFullInstance } from '../support/full-instance.ts'

const FILE = fileURLToPath(new URL('export.ndjson', import.meta.url))
const DOCUMENTS = fileURLToPath(new URL('export-documents.ndjson', import.meta.url))
const writes = process.env.SIGNET_WRITE_GOLDEN === 'yes'

interface Recorded {
  readonly version: number
  readonly documents: Readonly<Record<string, unknown>>
}
type Golden = Readonly<Record<string, Recorded>>

function readGolden(): Golden {
  const lines = readFileSync(DOCUMENTS, 'utf8').trimEnd().split('\n')
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, Recorded]))
}

async function documentsOf(config: Config, instanceId: string): Promise<Golden> {
  const found = await carriedDocuments(config, instanceId)
  const recorded = [...found].map(([name, documents]): [string, Recorded] => {
    const version = kinds.find((kind) => kind.name === name)?.version ?? 0
    return [name, { version, documents: JSON.parse(JSON.stringify(Object.fromEntries(documents))) }]
  })
  return Object.fromEntries(recorded)
}

/** The objects of an export with their secrets, in their order. */
async function objectsOf(file: string): Promise<ReadonlyMap<string, unknown>> {
  const objects = new Map<string, unknown>()
  for await (const item of (await openArchive(file, async () => PASSPHRASE)).read()) {
    if (!('remark' in item)) objects.set(`${item.kind} ${item.organizationId} ${item.id}`, item)
  }
  return objects
}

async function instanceOf(file: string): Promise<string> {
  return (await openArchive(file, async () => PASSPHRASE)).header.instance.id
}

for (const { name } of bothEngines) {
  suite(`the export of an earlier version, imported into ${name}`, () => {
    let places: EmptyPlaces
    let target: Config
    let summary: MoveSummary

    before(async () => {
      places = await EmptyPlaces.open()
      if (writes && !existsSync(FILE)) {
        const source = await places.next(name)
        await makeFullInstance(source, URL_OF_ALL)
        await exportInstance(source, FILE, { isQuiet: true, replaces: true, passphrase: PASSPHRASE })
      }
      target = await places.next(name)
      summary = await importInto(target, FILE)
      if (!writes) return
      const lines = Object.entries(await documentsOf(target, await instanceOf(FILE)))
      writeFileSync(DOCUMENTS, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    })
    after(() => places.close())

    test('is taken whole', () => {
      assert.deepEqual(summary.reasons, [])
    })

    test('becomes the documents that it became then', async () => {
      const now = await documentsOf(target, await instanceOf(FILE))
      for (const [kind, { version, documents }] of Object.entries(readGolden())) {
        const found = now[kind]
        assert.deepEqual(Object.keys(found?.documents ?? {}), Object.keys(documents), kind)
        for (const [id, document] of Object.entries(documents)) {
          if (found?.version === version) assert.deepEqual(found.documents[id], document, `${kind} ${id}`)
          else assert.partialDeepStrictEqual(found?.documents[id], document, `${kind} ${id}`)
        }
      }
    })

    test('changes nothing when what is there is followed', async () => {
      await withApp(target, URL_OF_ALL, async (app) => {
        for (const [name, object] of await objectsOf(FILE)) {
          const draft = { ...(object as Draft), restores: true } as const
          if (carrierOf(draft.kind) === undefined) continue
          const { end, left, kept } = await writeDraft(app, 'signet', draft, 'follow')
          assert.deepEqual({ end, left, kept }, { end: 'there', left: [], kept: [] }, name)
        }
      })
    })

    test('is exported again as it was', async () => {
      const again = join(places.folder, 'again.ndjson')
      await exportInstance(target, again, { isQuiet: true, replaces: true, passphrase: PASSPHRASE })
      const [then, now] = [await objectsOf(FILE), await objectsOf(again)]
      assert.deepEqual([...now.keys()], [...then.keys()])
      for (const [name, object] of then) assert.partialDeepStrictEqual(now.get(name), object, name)
    })
  })
}
