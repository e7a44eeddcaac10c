/** An export of an instance with every kind of object, read into the other database: nothing differs, everything works. */
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import {
  carriedDocuments,
  EmptyPlaces,
  importInto,
  PASSPHRASE,
  URL_OF_ALL,
} from '../../../test/support/carried-documents.ts'
import { ORGANIZATION } from '../../../test/support/drafts.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { encryptToken } from '../../../test/support/foreign-token.ts'
import { type Credentials, makeFullInstance } from '../../../test/support/full-instance.ts'
import { ADA, APPLICATION, MACHINE, MACHINE_KEY } from '../../../test/support/full-instance-drafts.ts'
import type { Config } from '../../config/index.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { findApplication, matchesApplicationSecret } from '../../features/applications/index.ts'
import { findMachineKey, findMachineSecret, identifyByPersonalAccessToken } from '../../features/machines/index.ts'
import { firstStart } from '../../features/onboarding/index.ts'
import { checkTotp, useRecoveryCode } from '../../features/one-time-codes/index.ts'
import { checkPassword } from '../../features/passwords/index.ts'
import { publicKeys, signingKey, verifyOwnJwt } from '../../features/web-keys/index.ts'
import { newId } from '../../kernel/id.ts'
import { systemClock } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { declaredKinds } from '../../modules.ts'
import { OBJECT_ORDER } from '../carriers.ts'
import { runMove } from '../import/move.ts'
import type { MoveSummary } from '../import/report.ts'
import { openSignet } from '../import/signet/source.ts'
import { loadApp } from '../load-app.ts'
import { withApp } from '../maintain.ts'
import { check, openSnapshot } from '../transfer.ts'
import { exportInstance } from './instance.ts'

const quiet = { isQuiet: true, replaces: true } as const

async function works(app: App, credentials: Credentials): Promise<void> {
  const at = app.clock()
  const origin = { actor: 'server', at } as const
  const user = { userId: ADA, owner: ORGANIZATION }
  const confirm = await checkPassword(app, { ...user, password: credentials.password, origin })
  await app.store.write(origin, confirm)
  await assert.rejects(checkPassword(app, { ...user, password: 'wrong', origin }))
  const code = totpCode(credentials.totpSecret, totpStep(at))
  await app.store.write(origin, (work) => checkTotp(app, work, { ...user, code }))
  await app.store.write(origin, (work) => useRecoveryCode(app, work, { ...user, code: credentials.recoveryCode }))
  await assert.rejects(
    app.store.write(origin, (work) => useRecoveryCode(app, work, { ...user, code: credentials.usedRecoveryCode })),
    { code: 'recovery_codes.code_used' },
  )
  const application = await findApplication(app, APPLICATION)
  assert.ok(application && (await matchesApplicationSecret(app, application, credentials.clientSecret)))
  assert.ok(!(await matchesApplicationSecret(app, application, 'wrong')))
  assert.ok(await findMachineSecret(app, MACHINE, credentials.machineSecret))
  assert.equal(await findMachineSecret(app, MACHINE, 'wrong'), undefined)
  const key = await findMachineKey(app, MACHINE_KEY)
  assert.ok(key && createPublicKey(key.publicKey).equals(createPublicKey(credentials.machineKey)))
  assert.equal((await identifyByPersonalAccessToken(app, credentials.token, at))?.userId, MACHINE)
  assert.equal(await identifyByPersonalAccessToken(app, `${credentials.token.slice(0, -4)}AAAA`, at), undefined)
  assert.equal(await identifyByPersonalAccessToken(app, encryptToken(`nobody:${MACHINE}`), at), undefined)
  for (const jwt of credentials.jwts) assert.equal((await verifyOwnJwt(app, jwt))?.sub, ADA)
  const { kid } = await signingKey(app)
  assert.equal(JSON.parse(Buffer.from(credentials.jwts[1]?.split('.')[0] ?? '', 'base64url').toString()).kid, kid)
  assert.ok((await publicKeys(app)).length >= 2)
}

for (const { name } of bothEngines) {
  const other = name === 'sqlite' && bothEngines.length > 1 ? 'postgres' : 'sqlite'
  suite(`an export of ${name}, imported into ${other}`, () => {
    let places: EmptyPlaces
    let source: Config
    let target: Config
    let instanceId: string
    let credentials: Credentials
    let summary: MoveSummary
    let file: string

    before(async () => {
      places = await EmptyPlaces.open()
      file = join(places.folder, 'everything.ndjson')
      source = await places.next(name)
      const made = await makeFullInstance(source, URL_OF_ALL)
      instanceId = made.instanceId
      credentials = made.credentials
      await exportInstance(source, file, { ...quiet, passphrase: PASSPHRASE })
      target = await places.next(other)
      summary = await importInto(target, file)
    })
    after(() => places.close())

    test('every kind of document is in it, by itself or with another one, or is left out for a reason', () => {
      // The instance itself is in the first line.
      const names = new Set([...OBJECT_ORDER, 'instance'])
      for (const { kind, carried } of declaredKinds) {
        if ('within' in carried) assert.ok(names.has(carried.within), `${kind.name}: there is no ${carried.within}`)
      }
    })

    test('nothing is refused or left behind', () => {
      assert.deepEqual(summary.reasons, [])
    })

    test('every document has the same ID, owner, dates and state', async () => {
      const [before, after] = [await carriedDocuments(source, instanceId), await carriedDocuments(target, instanceId)]
      for (const [kind, documents] of before) {
        assert.ok(
          documents.size > 0,
          `the instance has no ${kind}: add one to full-instance.ts, or say why it is left out`,
        )
        assert.deepEqual([...(after.get(kind)?.keys() ?? [])], [...documents.keys()], kind)
        for (const [id, document] of documents) assert.deepEqual(after.get(kind)?.get(id), document, `${kind} ${id}`)
      }
    })

    test('documents and log of the new database agree', async () => {
      assert.deepEqual((await check(target, { isQuiet: true })).problems, [])
    })

    test('every credential works', () => withApp(target, URL_OF_ALL, (app) => works(app, credentials)))

    test('the deletion that a user asked for is still done', async () => {
      const snapshot = await openSnapshot(target)
      const found: string[] = []
      for await (const lines of snapshot.jobs()) for (const [, kind] of lines) found.push(kind)
      await snapshot.close()
      assert.ok(found.includes('account-deletion'), found.join())
    })

    test('it can be run again', async () => {
      const again = await importInto(target, file)
      assert.deepEqual(again.reasons, [])
      const carried = Object.entries(again.kinds).filter(([, counts]) => counts.carried > 0)
      assert.deepEqual(carried, [])
    })

    test('the instance that was exported is not set back', async () => {
      await assert.rejects(importInto(source, file), { message: /has this instance, and it is in use/ })
    })

    test('no secret is in it in the clear', async () => {
      const text = await readFile(file, 'utf8')
      const { totpSecret, clientSecret, machineSecret, recoveryCode } = credentials
      const secrets = [
        totpSecret,
        clientSecret,
        machineSecret,
        recoveryCode,
        'PRIVATE KEY',
        '$2',
        '$argon2',
        'of the mail server',
      ]
      for (const secret of [...secrets, 'secret of 8888']) assert.ok(!text.includes(secret), secret)
    })

    // What follows does not depend on the database that was exported.
    if (name !== 'sqlite') return

    test('without secrets it says what is missing, and the rest is imported', async () => {
      const bare = join(places.folder, 'bare.ndjson')
      const { withoutSecrets } = await exportInstance(source, bare, { ...quiet, passphrase: undefined })
      assert.ok(withoutSecrets > 10)
      const imported = await importInto(await places.next('sqlite'), bare)
      assert.deepEqual(
        imported.reasons.filter(({ type }) => type === 'refused'),
        [],
      )
      const reason = imported.reasons.find(({ kind, reason }) => kind === 'human' && reason.includes('password'))
      assert.match(reason?.reason ?? '', /The export has no secrets: password/)
      assert.equal(imported.kinds.human?.carried, summary.kinds.human?.carried)
    })

    suite('a file that is not as it was written', () => {
      const nothing = async () => {
        const config = await places.next('sqlite')
        return { config, isEmpty: () => !existsSync(join(config.dataDir, 'signet.db')) }
      }
      async function refused(text: string | Buffer, message: RegExp) {
        const broken = join(places.folder, 'broken.ndjson')
        await writeFile(broken, text)
        const { config, isEmpty } = await nothing()
        await assert.rejects(importInto(config, broken), { name: 'CannotImport', message })
        assert.ok(isEmpty(), 'nothing was written')
      }

      test('is refused with the line, and nothing is written', async () => {
        const plain = join(places.folder, 'plain.ndjson')
        await exportInstance(source, plain, { ...quiet, passphrase: undefined })
        const text = await readFile(plain, 'utf8')
        const lines = text.trimEnd().split('\n')
        const cut = text.slice(0, text.length - 20)
        await refused(cut, new RegExp(`line ${lines.length}: the file was cut short in this line`))
        await refused(`${lines.slice(0, 10).join('\n')}\n`, /after line 10: the file was cut short/)
        await refused(text.replace('"Partner & Co"', '"Partner & CO"'), /line \d+: the line was changed/)
        await refused(
          [...lines.slice(0, 7), ...lines.slice(8), ''].join('\n'),
          /line 8: the line was changed, moved or left out/,
        )
        await refused([...lines.slice(0, 5), lines[6], lines[5], ...lines.slice(7), ''].join('\n'), /line 6: /)
        await refused(`${text}${lines[3]}\n`, new RegExp(`line ${lines.length + 1}: there is something after`))
        await refused('{"format":"other"}\n', /is not an export of Signet/)
        await refused('', /is empty/)
        await refused('\0'.repeat(100), /line 1: the file was cut short/)
      })

      test('with a wrong passphrase neither, nor with a changed byte in what is sealed', async () => {
        const text = await readFile(file, 'utf8')
        const at = text.indexOf('"sealed":"') + 40
        await refused(
          `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`,
          /line \d+: the line was changed/,
        )
        const opened = openSignet(file, async () => 'another passphrase', { merges: false, mustBeSealed: true })
        await assert.rejects(opened, { message: /line 1: the passphrase is wrong, or the line was changed/ })
      })

      test('nor one that somebody put in the place of a sealed file', async () => {
        const unsealed = join(places.folder, 'unsealed.ndjson')
        await exportInstance(source, unsealed, { ...quiet, passphrase: undefined })
        const opened = openSignet(unsealed, async () => PASSPHRASE, { merges: false, mustBeSealed: true })
        await assert.rejects(opened, { name: 'CannotImport', message: /is not sealed with a passphrase/ })
      })
    })

    test('another instance is not overwritten, but objects can be merged into it', async () => {
      const config = await places.next('sqlite')
      const { openDatabase } = await loadApp()
      const store = await openDatabase(config)
      await firstStart({
        store,
        newId,
        clock: systemClock,
        dataDir: config.dataDir,
        externalUrl: URL_OF_ALL,
        name: 'Mine',
      })
      await store.close()
      await assert.rejects(importInto(config, file), { message: /has an instance of its own/ })
      const merged = await openSignet(file, async () => PASSPHRASE, { merges: true, mustBeSealed: true })
      const { kinds: counts, reasons } = await withApp(config, URL_OF_ALL, (app) =>
        runMove(app, merged, { isQuiet: true }),
      )
      assert.equal(counts.organization?.refused ?? 0, 0, JSON.stringify(reasons))
      assert.equal(counts.machine?.refused, 1, 'the machine administrator of the first start has the same name')
      await withApp(config, URL_OF_ALL, async (app) => {
        assert.equal((await verifyOwnJwt(app, credentials.jwts[1] ?? ''))?.sub, ADA)
        assert.equal((await identifyByPersonalAccessToken(app, credentials.token, app.clock()))?.userId, MACHINE)
      })
    })

    test('a dry run on an empty database says the same, and writes nothing', async () => {
      const config = await places.next('sqlite')
      const { kinds: counts, reasons } = await importInto(config, file, true)
      assert.deepEqual([counts, reasons], [summary.kinds, summary.reasons])
      assert.ok(!existsSync(join(config.dataDir, 'signet.db')))
    })
  })
}
