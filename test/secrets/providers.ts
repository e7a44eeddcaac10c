/** Secrets of identity providers: sent through every method that takes one, found in the contract. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { type SecretClient, textOf } from './secret-client.ts'
import { requestFields } from './secret-fields.ts'

const SECRETS = new Set(['clientSecret', 'privateKey', 'bindPassword'])

/** Every method that takes a secret of a provider, once. */
const takers = [
  ...new Set(
    requestFields.filter(({ steps: [first] }) => SECRETS.has(first?.field.jsonName ?? '')).map(({ method }) => method),
  ),
]

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64')
}

/** A good request: texts by the name of their field. */
function messageFor(client: SecretClient, method: DescMethodUnary, id: string): JsonObject {
  const values: JsonObject = {
    id,
    idpId: id,
    name: `Provider ${client.next()}`,
    clientSecret: client.canary(),
    privateKey: newPrivateKey(),
    clientId: 'us',
    issuer: 'https://login.example',
    authorizationEndpoint: 'https://login.example/a',
    tokenEndpoint: 'https://login.example/t',
    userEndpoint: 'https://login.example/u',
    idAttribute: 'id',
    teamId: 'ABCDE12345',
    keyId: 'ABCDE12345',
    servers: ['ldaps://login.example'],
    baseDn: 'dc=example',
    bindDn: 'cn=reader,dc=example',
    bindPassword: client.canary(),
    userObjectClasses: ['person'],
    userFilters: ['uid'],
  }
  return Object.fromEntries(
    method.input.fields.flatMap(({ jsonName }) => {
      const value = values[jsonName]
      return value === undefined ? [] : [[jsonName, value]]
    }),
  )
}

function changerOf({ parent, name }: DescMethodUnary): DescMethodUnary {
  const changing = name.replace('Add', 'Update').replace('OIDCIDP', 'IDPOIDCConfig')
  const found = takers.find((method) => method.parent === parent && method.name === changing)
  return found ?? assert.fail(`nothing changes what ${name} adds`)
}

/** Turns generic providers into others, whose secrets are nested in the request. */
async function exerciseMigrations(client: SecretClient): Promise<void> {
  for (const { method } of [ManagementService, AdminService]) {
    for (const template of ['azure', 'google']) {
      const { id = '' } = await client.call(
        method.addGenericOIDCProvider,
        messageFor(client, method.addGenericOIDCProvider, ''),
      )
      const given = () => ({ name: `Provider ${client.next()}`, clientId: 'us', clientSecret: client.canary() })
      await client.call(method.migrateGenericOIDCProvider, { id, [template]: given() })
      await client.call(method.migrateGenericOIDCProvider, { id, [template]: given() }, { isRefused: true })
    }
  }
}

/** Adds one of each kind and changes its secret. */
export async function exerciseProviders(client: SecretClient): Promise<void> {
  await exerciseMigrations(client)
  for (const method of takers.filter(({ name }) => name.startsWith('Add'))) {
    const good = messageFor(client, method, '')
    const reply = await client.call(method, good)
    const id = textOf(reply, 'id' in reply ? 'id' : 'idpId')
    const changing = changerOf(method)
    await client.call(changing, messageFor(client, changing, id))
    await client.call(method, good, { isRefused: true })
    const key = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${client.canary()}`).toString('base64')
    await client.call(
      method,
      { ...good, name: `Bad ${client.next()}`, issuer: 'ftp://x', privateKey: key, baseDn: 'x' },
      { isRefused: true },
    )
  }
}
