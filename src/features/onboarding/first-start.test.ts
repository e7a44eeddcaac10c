import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { bothEngines, openTestStore } from '../../../test/support/engines.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { kinds } from '../../modules.ts'
import type { Store } from '../../store/index.ts'
import { findInstance, isSetupLinkOpen, reissueSetupLink, useSetupCode } from '../instances/index.ts'
import { identifyByPersonalAccessToken } from '../machines/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { users } from '../users/index.ts'
import { ADMIN_TOKEN_FILE, awaitsAdministrator, firstStart, reissueAdminToken, SETUP_LINK_FILE } from './index.ts'
import { draftSecretFile } from './secret-file.ts'

const root = await mkdtemp(join(tmpdir(), 'signet-first-start-'))
after(() => rm(root, { recursive: true, force: true }))

const NOON = instant(1_800_000_000_000)
let folders = 0
function newFolder() {
  return join(root, String(folders++))
}
function options(store: Store, dataDir: string) {
  return {
    store,
    newId,
    clock: () => NOON,
    dataDir,
    externalUrl: 'https://id.example.com',
  }
}
/** As much of an app as tokens and grants are read with. */
async function appOn(store: Store): Promise<App> {
  return { store, instanceId: (await findInstance(store))?.id ?? '' } as App
}
async function read(folder: string, name: string) {
  return (await readFile(join(folder, name), 'utf8')).trim()
}
const origin = { actor: { user: 'operator' }, at: NOON } as const

for (const engine of bothEngines) {
  suite(`the first start on ${engine.name}`, () => {
    test('leaves an instance, an organization, and two administrators who own it', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      const started = await firstStart(options(store, folder))
      assert.equal(started.isFirst, true)
      const state = (await findInstance(store))?.state
      assert.ok(state?.status === 'running')
      const owner = [{ scope: 'instance', roles: ['IAM_OWNER'] }]
      assert.deepEqual(await grantsOf(await appOn(store), state.administratorId), owner)
      assert.equal((await store.get(users, state.administratorId))?.state.status, 'initial')

      const token = await read(folder, ADMIN_TOKEN_FILE)
      const caller = await identifyByPersonalAccessToken(await appOn(store), token, NOON)
      assert.equal(caller?.userId, state.machineAdministratorId)
      assert.equal(caller?.organizationId, state.defaultOrganizationId)
      assert.deepEqual(caller?.grants, owner)

      const link = await read(folder, SETUP_LINK_FILE)
      assert.match(link, /^https:\/\/id\.example\.com\/setup\?user=[0-9a-f-]{36}&code=[2-9A-Z]{32}$/)
      assert.deepEqual((await readdir(folder)).sort(), [ADMIN_TOKEN_FILE, SETUP_LINK_FILE].sort())
      for (const name of [ADMIN_TOKEN_FILE, SETUP_LINK_FILE]) {
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
      }
    })

    test('stores neither the token nor the code of the link', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      await firstStart(options(store, folder))
      const log = JSON.stringify(await store.events({ limit: 100 }))
      const code = new URL(await read(folder, SETUP_LINK_FILE)).searchParams.get('code') ?? assert.fail()
      assert.ok(log.includes('setup_code.issued.v1') && log.includes('personal_access_token.added.v1'))
      assert.ok(!log.includes(code))
      assert.ok(!log.includes((await read(folder, ADMIN_TOKEN_FILE)).slice(-40)))
    })

    test('happens once: later starts change nothing, also when the files were taken away', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      const { instanceId } = await firstStart(options(store, folder))
      const before = (await store.events({ limit: 100 })).length
      await rm(join(folder, ADMIN_TOKEN_FILE))
      assert.deepEqual(await firstStart(options(store, folder)), { instanceId, isFirst: false })
      assert.equal((await store.events({ limit: 100 })).length, before)
      assert.deepEqual(await readdir(folder), [SETUP_LINK_FILE])
    })

    test('is won by one of many nodes that start at once, and all agree', async (t) => {
      const { store, another, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const stores = [store, await another(), await another()]
      const shared = newFolder()
      const started = await Promise.all(
        [...stores, ...stores].map((node, index) => firstStart(options(node, index % 2 === 0 ? shared : newFolder()))),
      )
      assert.equal(new Set(started.map(({ instanceId }) => instanceId)).size, 1)
      assert.equal(started.filter(({ isFirst }) => isFirst).length, 1)
      const created = await store.events({ types: ['instance.created.v1', 'user.machine_added.v1'], limit: 10 })
      assert.equal(created.length, 2)
      for (const name of await readdir(shared)) assert.ok(!name.endsWith('.draft'), name)
    })

    test('finishes the files when it crashed after the commit, and drops those of a commit that never came', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      await firstStart(options(store, folder))
      const [token, link] = [await read(folder, ADMIN_TOKEN_FILE), await read(folder, SETUP_LINK_FILE)]
      // As a crash between commit and naming leaves it.
      await rm(join(folder, ADMIN_TOKEN_FILE))
      await rm(join(folder, SETUP_LINK_FILE))
      await draftSecretFile(folder, ADMIN_TOKEN_FILE, token)
      await draftSecretFile(folder, SETUP_LINK_FILE, link)
      // As a crash before the commit leaves it.
      await draftSecretFile(folder, ADMIN_TOKEN_FILE, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)
      await draftSecretFile(folder, SETUP_LINK_FILE, `${link}X`)
      await firstStart(options(store, folder))
      assert.equal(await read(folder, ADMIN_TOKEN_FILE), token)
      assert.equal(await read(folder, SETUP_LINK_FILE), link)
      assert.equal((await readdir(folder)).length, 2)
    })

    test('the link can be used once, and issued again until it was', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      await firstStart(options(store, folder))
      const first = await read(folder, SETUP_LINK_FILE)
      const { url } = await reissueSetupLink(store, 'https://id.example.com', origin)
      assert.equal(await isSetupLinkOpen({ store }, first, origin.at), false)
      assert.equal(await isSetupLinkOpen({ store }, url, origin.at), true)
      assert.equal(await awaitsAdministrator(store), true)
      const use = (link: string) => {
        const { searchParams } = new URL(link)
        return store.write(origin, (work) =>
          useSetupCode(work, searchParams.get('user') ?? '', searchParams.get('code') ?? ''),
        )
      }
      await assert.rejects(use(first), { code: 'instance.setup_code_invalid' })
      const uses = await Promise.allSettled(Array.from({ length: 8 }, () => use(url)))
      assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal(await awaitsAdministrator(store), false)
      await assert.rejects(use(url), { code: 'instance.setup_code_invalid' })
      await assert.rejects(reissueSetupLink(store, 'https://id.example.com', origin), { code: 'instance.setup_done' })
    })

    test('a lost token can be replaced by the operator', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      const folder = newFolder()
      await firstStart(options(store, folder))
      const before = await read(folder, ADMIN_TOKEN_FILE)
      await reissueAdminToken(options(store, folder))
      const token = await read(folder, ADMIN_TOKEN_FILE)
      assert.notEqual(token, before)
      assert.ok(await identifyByPersonalAccessToken(await appOn(store), token, NOON))
    })
  })
}
