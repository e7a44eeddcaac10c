/** `/v2/import`: files are uploaded in parts, tried on a copy and imported, by those who own the instance and nobody else. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type ArchiveHeader, FORMAT, VERSION } from '../../src/cli/archive/format.ts'
import { deriveKeys, newDerivation } from '../../src/cli/archive/passphrase.ts'
import { writeArchive } from '../../src/cli/archive/write-archive.ts'
import type { AnyDraft } from '../../src/cli/import/draft.ts'
import { type ImportPages, openImportPages } from '../../src/cli/import/page/import-pages.ts'
import { readImportMark, setImportMark } from '../../src/features/imports/index.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { openPort, type Port } from '../../src/http/port/listener.ts'
import { openRouter } from '../../src/http/router.ts'
import type { MoveSummary } from '../../src/kernel/import-report.ts'
import { bothEngines } from '../support/engines.ts'
import { NOON, openWorld, type World } from '../support/world.ts'

const MOST_BYTES = 100_000

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

function realm(users: number, name = 'acme'): object {
  return {
    id: `realm-${name}`,
    realm: name,
    groups: [{ id: `group-${name}`, name: 'A' }],
    users: Array.from({ length: users }, (_, index) => ({
      ...{ id: `${name}-${index}`, username: `${name}-${index}`, enabled: true, email: `${index}@${name}.example` },
      ...{ firstName: 'Ada', lastName: 'Byron', groups: ['/A'] },
    })),
  }
}

/** An export with one organization. */
async function sealedExport(folder: string, passphrase: string): Promise<Buffer> {
  const derivation = newDerivation()
  const instance = { id: 'elsewhere', createdAt: NOON, changedAt: NOON } as unknown as ArchiveHeader['instance']
  const source = { product: 'signet', version: '1', url: 'https://old.example', engine: 'sqlite', sequence: 1 } as const
  const about = { format: FORMAT, version: VERSION, createdAt: new Date(NOON).toISOString() } as const
  async function* drafts(): AsyncGenerator<AnyDraft> {
    const dates = { createdAt: NOON, changedAt: NOON }
    const values = { name: 'Sealed', isActive: true, isDefault: false, domains: [], hasScopedUserNames: false }
    yield { kind: 'organization', id: 'org-sealed', organizationId: 'org-sealed', ...dates, ...values }
  }
  const file = join(folder, 'sealed')
  const keys = await deriveKeys(passphrase, derivation)
  const written = { lines: 0, kinds: {}, withoutSecrets: 0 }
  await writeArchive(file, { ...about, source, instance, passphrase: derivation }, drafts(), { keys, written })
  return readFile(file)
}

for (const engine of bothEngines) {
  suite(`the import of the console on ${engine.name}`, () => {
    let world: World
    let importing: ImportPages
    let port: Port
    let viewer: string
    const faults: unknown[] = []

    before(async () => {
      world = await openWorld({ engine })
      viewer =
        (await world.addMachine({ instanceRoles: ['IAM_OWNER_VIEWER', 'IAM_LOGIN_CLIENT'] })).request.bearer ?? ''
      const log = ({ error }: { readonly error: unknown }) => void faults.push(error)
      importing = await openImportPages({
        app: world.app,
        authorize: world.authorize,
        dataDir: world.dataDir,
        async dryRun(run) {
          const copy = await openWorld({ engine })
          return run(copy.app).finally(() => copy.dispose())
        },
        log,
        mostBytes: MOST_BYTES,
      })
      const router = openRouter({ authorize: world.authorize, pages: importing.pages, log })
      port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
    })
    after(async () => {
      await importing.close()
      await port.close()
      await world.dispose()
      assert.deepEqual(faults, [])
    })

    async function ask(
      verb: string,
      path: string,
      body?: object | Uint8Array,
      bearer = world.owner.bearer,
    ): Promise<Answer> {
      const isJson = body !== undefined && !(body instanceof Uint8Array)
      const response = await fetch(`http://127.0.0.1:${port.address.port}/v2/import${path}`, {
        method: verb,
        headers: {
          ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
          'content-type': isJson ? 'application/json' : 'application/octet-stream',
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : new Uint8Array(body) }),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    }

    function place(product: string, part: string, size = 0, offset = 0, name = 'file.json'): string {
      return `/files?${new URLSearchParams({ product, part, offset: String(offset), size: String(size), name })}`
    }

    const upload = (product: string, part: string, value: object) =>
      send(product, part, Buffer.from(JSON.stringify(value)))

    const send = (product: string, part: string, bytes: Buffer) =>
      ask('POST', place(product, part, bytes.length), bytes)

    /** What became of the run, when it is over. */
    async function ended(): Promise<Readonly<Record<string, unknown>>> {
      for (;;) {
        const run = (await ask('GET', '')).body.run as Readonly<Record<string, unknown>>
        if (run.status !== 'running') return run
        await sleep(20)
      }
    }

    async function left(): Promise<readonly string[]> {
      const files = await readdir(join(world.dataDir, 'import'))
      return files.filter((file) => !['state.json', 'report.json', 'lock', 'stop'].includes(file))
    }

    test('is refused for whoever does not own the instance', async () => {
      for (const [bearer, status] of [
        ['', 401],
        ['wrong', 401],
        [viewer, 403],
      ] as const) {
        for (const [verb, path] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', place('keycloak', 'realm')],
          ['POST', '/start'],
          ['POST', '/read'],
          ['POST', '/stop'],
          ['GET', '/report'],
        ] as const) {
          const body = verb === 'POST' ? { dryRun: false } : undefined
          assert.equal((await ask(verb, path, body, bearer)).status, status, `${verb} ${path} ${bearer}`)
        }
      }
      await assert.rejects(readdir(join(world.dataDir, 'import')))
    })

    test('a realm is tried on a copy first, then imported; its file is removed, and the report stays', async () => {
      const bytes = Buffer.from(JSON.stringify(realm(30)))
      assert.deepEqual(
        (await ask('POST', place('keycloak', 'realm', bytes.length, 0, 'acme\n.json'), bytes.subarray(0, 1000))).body,
        {
          bytes: 1000,
        },
      )
      assert.equal((await ask('POST', '/start', { dryRun: true })).status, 400)
      const gap = await ask('POST', place('keycloak', 'realm', bytes.length, 2000), bytes.subarray(2000))
      assert.deepEqual(
        [gap.status, gap.body.reason ?? (gap.body.details as { id?: string }[])[0]?.id],
        [409, 'import.file_moved'],
      )
      await ask('POST', place('keycloak', 'realm', bytes.length, 1000, 'acme\n.json'), bytes.subarray(1000))
      const { body } = await ask('GET', '')
      assert.deepEqual(body.files, [{ part: 'realm', name: 'acme.json', size: bytes.length, bytes: bytes.length }])
      assert.equal((await ask('POST', '/start', { dryRun: true })).status, 200)
      const tried = await ended()
      assert.deepEqual([tried.status, tried.isDryRun], ['done', true])
      assert.equal(await world.store.get(organizations, 'realm-acme'), undefined)
      assert.deepEqual(await left(), ['realm.json'])
      assert.equal((await ask('POST', '/start', { dryRun: false })).status, 200)
      const run = await ended()
      assert.deepEqual([run.status, run.total, run.done], ['done', run.done, run.total])
      const { kinds } = run.summary as { kinds: Record<string, { carried: number }> }
      assert.deepEqual([kinds.human?.carried, kinds['group-member']?.carried], [30, 30])
      assert.ok(await world.store.get(organizations, 'realm-acme'))
      assert.deepEqual(await left(), [])
      const report = (await ask('GET', '/report')).body
      assert.deepEqual([report.source, report.isDryRun], ['keycloak', false])
      assert.ok(Array.isArray(report.problems))
    })

    test('nobody goes past a run without having read what must be decided before people sign in', async () => {
      const identityProviders = [
        {
          ...{ alias: 'corp', internalId: 'corp', providerId: 'oidc', postBrokerLoginFlowAlias: 'codes' },
          config: { clientId: 'c', clientSecret: 's', issuer: 'https://idp.example' },
        },
      ]
      const reason = ({ body }: Answer) => (body.details as { id?: string }[] | undefined)?.[0]?.id
      await upload('keycloak', 'realm', { ...realm(1, 'closed'), identityProviders })
      await ask('POST', '/start', { dryRun: true })
      const { summary } = (await ended()) as { summary: MoveSummary }
      assert.deepEqual(
        summary.toDecide.map(({ todo, objects }) => [todo, objects[0]?.link]),
        [['activate', `${world.app.externalUrl}/ui/console/identity-providers/corp`]],
      )
      const early = await ask('POST', '/start', { dryRun: false })
      assert.deepEqual([early.status, reason(early)], [400, 'import.unread'])
      assert.equal((await ask('POST', '/read')).status, 200)
      assert.equal((await ask('POST', '/start', { dryRun: false })).status, 200)
      assert.equal((await ended()).isDryRun, false)
      const others = [await ask('POST', '/start', { dryRun: true }), await ask('POST', '/start', { dryRun: false })]
      for (const past of [...others, await ask('DELETE', ''), await upload('keycloak', 'realm', realm(1))])
        assert.deepEqual([past.status, reason(past)], [400, 'import.unread'])
      assert.equal((await ask('POST', '/read')).status, 200)
      assert.equal((await ask('DELETE', '')).status, 200)
    })

    test('a broken file is named with its place, and nothing of it is written', async () => {
      await upload('keycloak', 'realm', { ...realm(1), id: 'broken', users: [{ id: 'x', username: 7 }] })
      await ask('POST', '/start', { dryRun: false })
      const run = await ended()
      assert.deepEqual([run.status, run.message], ['failed', 'realm.json: users[0].username must be a text.'])
      assert.equal(await world.store.get(organizations, 'broken'), undefined)
    })

    test('an export that is sealed needs its passphrase, which is kept nowhere', async () => {
      const passphrase = 'correct horse battery staple'
      await send('signet', 'export', await sealedExport(world.dataDir, passphrase))
      for (const [given, message] of [
        ['', 'The secrets in the export are sealed: enter the passphrase.'],
        ['another', 'export.ndjson, line 1: the passphrase is wrong, or the line was changed. Nothing was imported.'],
      ] as const) {
        await ask('POST', '/start', { dryRun: true, passphrase: given })
        assert.equal((await ended()).message, message)
      }
      await ask('POST', '/start', { dryRun: false, passphrase })
      assert.equal((await ended()).status, 'done')
      assert.ok(await world.store.get(organizations, 'org-sealed'))
      for (const name of await readdir(join(world.dataDir, 'import'))) {
        assert.equal((await readFile(join(world.dataDir, 'import', name), 'utf8')).includes(passphrase), false, name)
      }
      await send('signet', 'export', Buffer.from('{"format":"something else"}\n'))
      await ask('POST', '/start', { dryRun: true })
      assert.equal((await ended()).message, 'export.ndjson is not an export of Signet.')
      // A file of another product took the place of the one before.
      assert.deepEqual(await left(), ['export.ndjson'])
    })

    test('packed users of Auth0 are imported with their applications', async () => {
      const users = ['a', 'b'].map((name) => JSON.stringify({ user_id: `auth0|${name}`, email: `${name}@x.example` }))
      await send('auth0', 'users', gzipSync(users.join('\n')))
      await upload('auth0', 'clients', [])
      await ask('POST', '/start', { dryRun: false, name: 'Tenant' })
      const { status, summary } = await ended()
      const { kinds } = summary as { kinds: Record<string, { carried: number }> }
      assert.deepEqual([status, kinds.human?.carried], ['done', 2])
    })

    test('only files that there are can be named, and all of them together have a limit', async () => {
      for (const [product, part] of [
        ['keycloak', '../state'],
        ['..', 'realm'],
        ['keycloak', 'toString'],
        ['constructor', 'name'],
        ['keycloak', 'realm/../../master.key'],
      ] as const) {
        assert.equal((await upload(product, part, {})).status, 400, `${product} ${part}`)
      }
      for (const offset of [-1, 0.5, Number.NaN]) {
        assert.equal((await ask('POST', place('keycloak', 'realm', 2, offset), Buffer.from('{}'))).status, 400)
      }
      const large = Buffer.alloc(60_000, ' ')
      assert.equal((await send('auth0', 'users', large)).status, 200)
      const more = await send('auth0', 'clients', large)
      assert.deepEqual([more.status, /too large/.test(String(more.body.message))], [400, true])
      assert.deepEqual(await left(), [])
      assert.equal((await ask('POST', place('keycloak', 'realm'), Buffer.alloc(5 * 1024 * 1024))).status, 413)
      assert.equal((await ask('POST', '/start', { dryRun: true })).status, 400)
      assert.equal((await ask('POST', '/start', { dryRun: 'yes' })).status, 400)
      assert.equal((await ask('POST', '/start', { dryRun: true, as: 'everything' })).status, 400)
    })

    test('one import runs at a time; it can be stopped, and continues from there', async () => {
      await upload('keycloak', 'realm', realm(300, 'two'))
      const [one, other] = await Promise.all([
        ask('POST', '/start', { dryRun: false }),
        ask('POST', '/start', { dryRun: false }),
      ])
      assert.deepEqual([one.status, other.status].sort(), [200, 409])
      assert.equal((await upload('auth0', 'users', {})).status, 409)
      assert.equal((await ask('DELETE', '')).status, 409)
      await ask('POST', '/stop')
      const stopped = await ended()
      assert.ok(stopped.status === 'stopped' || stopped.status === 'done')
      if (stopped.status === 'stopped') {
        await ask('POST', '/start', { dryRun: false })
        assert.equal((await ended()).status, 'done')
      }
      const { body } = await ask('GET', '')
      const { kinds } = (body.run as { summary: { kinds: Record<string, { carried: number; there: number }> } }).summary
      assert.equal((kinds.human?.carried ?? 0) + (kinds.human?.there ?? 0), 300)
      assert.equal((await ask('DELETE', '')).status, 200)
      assert.equal((await ask('GET', '/report')).status, 404)
      assert.deepEqual((await ask('GET', '')).body.files, [])
    })

    test('sources that the command line follows are shown with what is open', async () => {
      const problems = [{ type: 'kept', kind: 'human', id: 'u1', reason: 'Changed here.' }] as const
      const mark = { mark: '1', isComplete: true, problems, solved: [] }
      await setImportMark(world.app, world.origin(), 'zitadel 1', mark)
      assert.equal((await readImportMark(world.app, 'zitadel 1')).isComplete, true)
      assert.deepEqual((await ask('GET', '')).body.followed, [{ source: 'zitadel 1', isComplete: true, problems }])
    })

    test('a server that starts again removes what was uploaded, and knows that the import was interrupted', async () => {
      const folder = join(world.dataDir, 'import')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'realm.json'), 'secrets')
      const run = { isDryRun: false, status: 'running', startedAt: 1, done: 5, seconds: 1 }
      await writeFile(join(folder, 'state.json'), JSON.stringify({ product: 'keycloak', files: [], run }))
      const { app, authorize, dataDir } = world
      const again = await openImportPages({ app, authorize, dataDir, dryRun: (act) => act(app), log() {} })
      await again.close()
      assert.deepEqual(await left(), [])
      assert.deepEqual((await ask('GET', '')).body.run, { ...run, status: 'stopped' })
    })
  })
}
