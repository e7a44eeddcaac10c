import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ApplicationKeysSorting } from '../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { OIDCAuthMethodType } from '../../../contract/gen/signet/application/v2/oidc_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ApplicationWorld, addProject, withApplications } from '../../../test/support/parts/applications.ts'
import { isRefused, NOON } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { NEVER } from '../machines/index.ts'
import { projects } from '../projects/index.ts'
import { applicationKeys, applicationSecrets } from './documents.ts'
import { applications, findApplication, findApplicationByClientId, findApplicationKey } from './index.ts'

const v2 = ApplicationService.method
const asNorth = { bearer: 'north' }
const asSouth = { bearer: 'south' }
const KEYED = { authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT }

for (const engine of engines) {
  suite(`keys of applications on ${engine.name}`, () => {
    let world: ApplicationWorld
    before(async () => {
      world = await openWorld({ engine }, withApplications)
    })
    after(() => world.dispose())

    const addKey = (applicationId: string, more = {}, request = asNorth) =>
      world.call(v2.createApplicationKey, { applicationId, projectId: 'shop', ...more }, request)

    test('are generated, shown once and stored without the private key', async () => {
      const { id, clientId } = await world.addOidc(KEYED)
      const { keyId, keyDetails } = await addKey(id)
      const { key, ...file } = JSON.parse(Buffer.from(keyDetails).toString())
      assert.deepEqual(file, { type: 'application', keyId, appId: id, clientId })
      assert.match(key, /^-----BEGIN RSA PRIVATE KEY-----/)
      const found = (await findApplicationKey(world.app, keyId)) ?? assert.fail('there is none')
      assert.equal(found.applicationId, id)
      assert.equal(found.expiresAt, NEVER)
      const publicKey = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' })
      assert.equal(found.publicKey, publicKey)
      assert.ok(!JSON.stringify(await world.store.events({ limit: 1000 })).includes('PRIVATE KEY'))
    })

    test('belong only to applications that authenticate themselves with keys', async () => {
      const { id } = await world.addOidc()
      await isRefused(addKey(id), 'application.key_not_usable')
      const keyed = await world.addOidc(KEYED)
      const { keyId } = await addKey(keyed.id)
      const value = { authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC }
      const applicationType = { case: 'oidcConfiguration', value } as const
      await world.call(v2.updateApplication, { applicationId: keyed.id, projectId: 'shop', applicationType }, asNorth)
      assert.equal(await findApplicationKey(world.app, keyId), undefined)
    })

    test('expire in the future', async () => {
      const { id } = await world.addOidc(KEYED)
      const past = addKey(id, { expirationDate: timestampFromMs(NOON) })
      await isRefused(past, 'application.key_expiration_past', 'expirationDate')
      const { keyId } = await addKey(id, { expirationDate: timestampFromMs(NOON + 1000) })
      const { expirationDate } = await world.call(v2.getApplicationKey, { keyId }, asNorth)
      assert.equal(expirationDate?.seconds, BigInt(NOON / 1000 + 1))
    })

    test('are read, listed and removed by those who may', async () => {
      const { id } = await world.addOidc(KEYED)
      const { keyId } = await addKey(id)
      const target = { keyId, applicationId: id, projectId: 'shop' }
      const list = async (request: { bearer: string }) => {
        const filter = { case: 'applicationIdFilter', value: { applicationId: id } } as const
        const sortingColumn = ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_EXPIRATION
        return (await world.call(v2.listApplicationKeys, { filters: [{ filter }], sortingColumn }, request)).keys
      }
      const [listed] = await list(asNorth)
      assert.deepEqual([listed?.keyId, listed?.projectId, listed?.organizationId], [keyId, 'shop', 'north'])
      assert.deepEqual(await list(asSouth), [])
      await isRefused(world.call(v2.deleteApplicationKey, target, asSouth), 'access.forbidden')
      const other = await world.addOidc(KEYED)
      const asOther = world.call(v2.deleteApplicationKey, { ...target, applicationId: other.id }, asNorth)
      await isRefused(asOther, 'application.key_not_found')
      await world.call(v2.deleteApplicationKey, target, asNorth)
      await isRefused(world.call(v2.getApplicationKey, { keyId }, asNorth), 'application.key_not_found')
      await isRefused(world.call(v2.deleteApplicationKey, target, asNorth), 'application.key_not_found')
    })

    test('of another organization is not found, and a caller without a role finds none', async () => {
      const { keyId } = await addKey((await world.addOidc(KEYED)).id)
      for (const one of [keyId, 'unknown']) {
        const asked = { keyId: one }
        await isRefused(world.call(v2.getApplicationKey, asked, asSouth), 'application.key_not_found')
        await isRefused(world.call(v2.getApplicationKey, asked, { bearer: 'nobody' }), 'access.not_found')
      }
    })

    test('and the secret are removed together with their application', async () => {
      const { id, clientId } = await world.addOidc(KEYED)
      const { keyId } = await addKey(id)
      await world.call(v2.generateClientSecret, { applicationId: id, projectId: 'shop' }, asNorth)
      await world.call(v2.deleteApplication, { applicationId: id, projectId: 'shop' }, asNorth)
      assert.equal(await world.store.get(applicationKeys, keyId), undefined)
      assert.equal((await world.store.get(applicationSecrets, id))?.state.status, 'none')
      assert.equal(await findApplicationByClientId(world.app, clientId), undefined)
    })

    test('and applications are gone when the job of a removed project has run', async () => {
      await addProject(world.app, 'ending', 'north')
      const applicationType = { case: 'oidcConfiguration', value: {} } as const
      const request = { projectId: 'ending', name: 'One', applicationType }
      const { applicationId } = await world.call(v2.createApplication, request, asNorth)
      await world.call(ProjectService.method.deleteProject, { projectId: 'ending' }, asNorth)
      await isRefused(world.call(v2.getApplication, { applicationId }, asNorth), 'application.not_found')
      await world.runJobs()
      assert.equal(await world.store.get(applications, applicationId), undefined)
    })

    test('and applications of a removed project do not count, and a batch removes them', async () => {
      await addProject(world.app, 'passing', 'north')
      const ids: string[] = []
      for (const name of ['One', 'Two', 'Three']) {
        const applicationType = { case: 'oidcConfiguration', value: KEYED } as const
        const request = { projectId: 'passing', name, applicationType }
        ids.push((await world.call(v2.createApplication, request, asNorth)).applicationId)
      }
      const [id = ''] = ids
      const { keyId } = await addKey(id, { projectId: 'passing' })
      await world.store.write(world.origin(), (work) => work.decide(projects, 'passing', { type: 'remove' }))
      assert.equal(await findApplication(world.app, id), undefined)
      assert.equal(await findApplicationKey(world.app, keyId), undefined)
      await isRefused(world.call(v2.getApplication, { applicationId: id }, asNorth), 'application.not_found')
      await isRefused(world.call(v2.getApplicationKey, { keyId }, asNorth), 'application.key_not_found')
      const { applications: listed } = await world.call(v2.listApplications, { pagination: { limit: 1000 } }, asNorth)
      assert.ok(listed.every(({ projectId }) => projectId !== 'passing'))
      const { whenProjectRemoved } = world.app.lifecycle
      assert.equal(await whenProjectRemoved(world.app, 'passing', world.origin(), 2), 2)
      assert.equal(await whenProjectRemoved(world.app, 'passing', world.origin(), 2), 1)
      assert.equal(await whenProjectRemoved(world.app, 'passing', world.origin(), 2), 0)
      for (const one of ids) assert.equal(await world.store.get(applications, one), undefined)
      assert.equal(await world.store.get(applicationKeys, keyId), undefined)
    })
  })
}
