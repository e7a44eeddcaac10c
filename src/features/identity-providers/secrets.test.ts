/** The secrets of providers are looked for wherever they could have been left. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type DescField, type DescMethodUnary, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IdentityProviderService } from '../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { OWNERS_REACH } from '../../access/paths.ts'
import { keyIdOf } from '../../crypto/seal.ts'
import { Failed } from '../../http/protocols/errors.ts'
import { newId } from '../../kernel/id.ts'
import { Refused } from '../../kernel/refusal.ts'
import { rotateDataKey } from '../instances/index.ts'
import { oidcConnection } from './connections.ts'
import { secretPlace } from './documents.ts'
import { addProvider } from './handlers/change-provider.ts'
import { identityProviders, providerSecrets } from './index.ts'
import { openProviderSecret } from './open-provider.ts'

const patient = { timeout: 600_000 }
const CANARY = 'canary-client-secret-7319'

const SECRETS: readonly string[] = ['clientSecret', 'privateKey']

const services = [ManagementService, AdminService]
function takesSecret({ input }: { input: { fields: readonly DescField[] } }): boolean {
  return input.fields.some(({ localName }) => SECRETS.includes(localName))
}
function isOurs({ name }: { name: string }): boolean {
  return /IDP|Provider$/.test(name) && !/SMTP|SMS|Email/.test(name)
}

/** Every method of this module that takes a secret, found in the contract, so that a new one is tested too. */
const takers = services.flatMap((service) =>
  (service.methods as readonly DescMethodUnary[]).filter((method) => isOurs(method) && takesSecret(method)),
)

function isAdding({ name }: DescMethodUnary): boolean {
  return name.startsWith('Add')
}

/** Two private keys, one for adding and one for changing, and what would betray them. */
const appleKeys = [1, 2].map(() => {
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  return { pem: Buffer.from(pem as string), marker: String(pem).split('\n')[1] ?? '' }
})

/** A good request: texts by the name of their field. */
function messageFor(
  method: DescMethodUnary,
  ids: { id?: string; name: string; secret: string; key: Buffer },
): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = {
    id: ids.id,
    idpId: ids.id,
    name: ids.name,
    clientSecret: ids.secret,
    privateKey: ids.key,
    clientId: 'us',
    issuer: 'https://login.example',
    authorizationEndpoint: 'https://login.example/a',
    tokenEndpoint: 'https://login.example/t',
    userEndpoint: 'https://login.example/u',
    idAttribute: 'id',
    teamId: 'ABCDE12345',
    keyId: 'ABCDE12345',
  }
  return Object.fromEntries(
    method.input.fields.flatMap(({ localName }) => (localName in values ? [[localName, values[localName]]] : [])),
  )
}

/** The database files of one test, found by a marker that it wrote. */
async function databaseTexts(marker: string): Promise<readonly string[]> {
  const files = await Array.fromAsync(glob(join(tmpdir(), 'signet-store-*/signet.db*')))
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
  const own = texts.filter((text) => text.includes(marker))
  assert.ok(own.length > 0, 'the database of this test was not found')
  return own
}

function told(error: unknown): string {
  if (error instanceof Refused) return JSON.stringify([error.code, error.message, error.violations])
  if (error instanceof Failed) return JSON.stringify(error.failure)
  return assert.fail(error as Error)
}

async function exercise(world: World, marker: string): Promise<readonly string[]> {
  const seen: string[] = []
  const call = async (method: DescMethodUnary, message: Record<string, unknown>): Promise<JsonObject> => {
    try {
      const reply = toJson(method.output, await world.call(method, message, world.owner)) as JsonObject
      seen.push(JSON.stringify(reply))
      return reply
    } catch (error) {
      seen.push(told(error))
      return {}
    }
  }
  const idOf = (reply: JsonObject): JsonValue | undefined => reply.id ?? reply.idpId
  const [key, other] = appleKeys.map(({ pem }) => pem)
  for (const [index, method] of takers.filter(isAdding).entries()) {
    const name = `${marker} ${index}`
    const good = messageFor(method, { name, secret: `${CANARY}-${index}`, key: key ?? assert.fail() })
    const id = String(idOf(await call(method, good)) ?? assert.fail(`${method.name}: ${seen.at(-1)}`))
    const service = method.parent as unknown as { method: Record<string, DescMethodUnary> }
    const local = (name: string) => service.method[`${name[0]?.toLowerCase()}${name.slice(1)}`] ?? assert.fail(name)
    // A repetition (a conflict), an address that is none (a violation), and a secret that is too long (the limits).
    await call(method, good)
    await call(method, { ...good, issuer: `ftp://${marker}`, tokenEndpoint: marker, clientId: 'a\nb' })
    await call(method, { ...good, clientSecret: CANARY.repeat(50), privateKey: Buffer.from(CANARY.repeat(300)) })
    await call(method, {
      ...good,
      name: `${name} x`,
      privateKey: Buffer.from(`-----BEGIN PRIVATE KEY-----\n${CANARY}`),
    })
    const legacy = method.name.includes('OIDCIDP')
    const org = method.parent === ManagementService ? 'Org' : ''
    const changes = legacy ? `Update${org}IDPOIDCConfig` : method.name.replace('Add', 'Update')
    const update = local(changes)
    const changing = { id, name: `${name} 2`, secret: `${CANARY}-changed-${index}`, key: other ?? assert.fail() }
    assert.ok((await call(update, messageFor(update, changing))).details, `${update.name}: ${seen.at(-1)}`)
    await call(update, messageFor(update, { ...changing, id: 'nowhere' }))
    assert.match(
      (await openProviderSecret(world.app, id)) ?? '',
      legacy || !('privateKey' in good) ? /canary/ : /PRIVATE/,
    )
    for (const reader of [local('GetProviderByID'), IdentityProviderService.method.getIDPByID])
      await call(reader, { id })
    await call(local(`Get${org}IDPByID`), { idpId: id })
    if (index % 2 === 0) await call(local('DeleteProvider'), { id })
  }
  await call(ManagementService.method.listProviders, {})
  await call(ManagementService.method.listOrgIDPs, {})
  await call(AdminService.method.listEvents, { limit: 1000 })
  return seen
}

for (const engine of engines) {
  suite(`secrets of identity providers on ${engine.name}`, () => {
    test('sent through every method that takes one, they are nowhere in plain text', patient, async (t) => {
      assert.ok(takers.length >= 40, `only ${takers.length} methods take a secret`)
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const marker = newId()
      const said = await exercise(world, marker)
      await world.runJobs()
      const seen = [
        ...said,
        JSON.stringify(await world.store.events({ limit: 10_000 })),
        JSON.stringify(await world.store.jobs.list({ kind: 'identity_provider.removed', limit: 1000 })),
        JSON.stringify((await world.store.find(providerSecrets, { limit: 1000 })).documents),
        JSON.stringify((await world.store.find(identityProviders, { limit: 1000 })).documents),
        ...(engine.name === 'sqlite' ? await databaseTexts(marker) : []),
      ]
      for (const text of seen) {
        assert.ok(!text.includes('canary'), text.slice(0, 2000))
        for (const { marker: line } of appleKeys) assert.ok(!text.includes(line), text.slice(0, 2000))
        assert.ok(!text.includes('PRIVATE KEY'), text.slice(0, 2000))
      }
    })

    test('a new key seals them anew, and a sealed one opens in its own place only', patient, async (t) => {
      const world = await openWorld({ engine, organizations: ['north'] })
      t.after(world.dispose)
      const { store, masterKeys } = world
      const ids: string[] = []
      for (let number = 0; number < 130; number++) {
        const { value } = await addProvider(
          world.app,
          { origin: world.origin(), owner: 'instance', by: OWNERS_REACH },
          {
            providerType: 'google',
            name: `Google ${number}`,
            options: {
              isLinkingAllowed: true,
              isCreationAllowed: true,
              isAutoCreation: false,
              isAutoUpdate: false,
              autoLinking: 'none',
            },
            connection: oidcConnection('google', { clientId: 'us', scopes: [] }),
            secret: `secret ${number}`,
          },
        )
        ids.push(value.id)
      }
      const rotated = await rotateDataKey({ ...world.app, masterKeys, sealedJobs: [] })
      assert.deepEqual([rotated.resealed, rotated.removedKeyIds.length], [130, 1])
      const fresh = (await world.another()).app
      for (const [number, id] of ids.entries()) {
        assert.equal(await openProviderSecret(fresh, id), `secret ${number}`)
        const state = (await store.get(providerSecrets, id))?.state
        assert.equal(state?.status === 'set' && keyIdOf(state.secret.value), rotated.activeKeyId)
      }
      const [first = '', second = ''] = ids
      const state = (await store.get(providerSecrets, first))?.state
      const sealed = state?.status === 'set' ? state.secret.value : assert.fail()
      await assert.rejects(fresh.vault.open(secretPlace(second), sealed), /does not open/)
    })
  })
}
