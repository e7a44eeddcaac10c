/** Clients of the API that came before ours are served under the names they know. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { services as contractServices } from '../../contract/gen/services.ts'
import {
  AddOrganizationRequestSchema,
  AddOrganizationResponseSchema,
} from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { servesVersion, serviceNames } from '../../src/http/protocols/aliases.ts'
import { Everything, echoMethods } from './sample.ts'
import { sampleMethods, startServer } from './server.ts'

function post(url: string, type: string, body: string | Uint8Array<ArrayBuffer>, bearer = 'good') {
  return fetch(url, { method: 'POST', headers: { authorization: `Bearer ${bearer}`, 'content-type': type }, body })
}

suite('existing clients', () => {
  test('procedures answer under the earlier package and versions, errors in the words of the caller', async (context) => {
    const { url } = await startServer(context)
    for (const version of ['v2', 'v2beta', 'v2alpha']) {
      const response = await post(
        `${url}/zitadel.user.${version}.UserService/GetUserByID`,
        'application/json',
        '{"userId":"a"}',
      )
      assert.deepEqual(await response.json(), { user: { userId: 'a' } }, version)
    }
    const management = `${url}/zitadel.management.v1.ManagementService/GetUserByID`
    const problem = (await (await post(management, 'application/json', '{"id":"nobody"}')).json()) as {
      details: { type: string }[]
    }
    assert.equal(problem.details[0]?.type, 'zitadel.v1.ErrorDetail')
    assert.equal(
      (await post(`${url}/zitadel.management.v2.ManagementService/GetUserByID`, 'application/json', '{}')).status,
      404,
    )
    assert.equal(
      (await post(`${url}/signet.user.v2beta.UserService/GetUserByID`, 'application/json', '{}')).status,
      404,
    )
  })

  test('REST answers under the earlier prefixes', async (context) => {
    const { url } = await startServer(context)
    for (const version of ['v2', 'v2beta', 'v2alpha']) {
      const response = await fetch(`${url}/${version}/users/a`, { headers: { authorization: 'Bearer good' } })
      assert.deepEqual(await response.json(), { user: { userId: 'a' } }, version)
    }
    const refusal = (await (await fetch(`${url}/v2beta/users/a`)).json()) as { details: { '@type': string }[] }
    assert.equal(refusal.details[0]?.['@type'], 'type.googleapis.com/zitadel.v1.ErrorDetail')
  })

  test('an area whose earlier messages are different is not served there, in any protocol', async (context) => {
    const { url } = await startServer(context)
    const add = 'OrganizationService/AddOrganization'
    const ours = await post(`${url}/zitadel.org.v2.${add}`, 'application/json', '{"name":"n"}')
    assert.deepEqual(await ours.json(), { organizationId: 'id-of-n' })
    for (const path of [
      ...['v2beta', 'v2alpha'].map((version) => `/zitadel.org.${version}.${add}`),
      '/zitadel.app.v2beta.AppService/CreateApplication',
      '/zitadel.internal_permission.v2beta.InternalPermissionService/ListAdministrators',
    ]) {
      for (const type of ['application/json', 'application/proto', 'application/grpc-web+proto', 'application/grpc']) {
        const response = await post(url + path, type, '{"name":"n"}')
        const text = await response.text()
        const isFramed = type.startsWith('application/grpc-web')
        // gRPC needs HTTP/2; over HTTP/1.1 the answer is that of REST.
        if (isFramed) assert.match(response.headers.get('grpc-status') ?? text, /12/, `${path} ${type}`)
        else assert.equal(response.status, 501, `${path} ${type}: ${text}`)
      }
    }
    const rest = [
      ['POST', '/v2beta/organizations'],
      ['POST', '/v2alpha/organizations'],
      ['GET', '/v2beta/organizations'],
      ['POST', '/v2beta/projects/search'],
    ] as const
    for (const [method, path] of rest) {
      const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body: '{"name":"n"}' }) })
      assert.equal(response.status, 501, `${method} ${path}`)
      assert.equal(((await response.json()) as { code: number }).code, 12)
    }
    assert.equal((await fetch(`${url}/v2beta/users/a`, { method: 'PURGE' })).status, 405)
  })

  test('every area says whether its earlier versions are the same', () => {
    const names = contractServices.flatMap(({ typeName }) => serviceNames(typeName).map(([name]) => name))
    const earlier = names.filter((name) => /\.v2(beta|alpha)\./.test(name))
    assert.deepEqual(earlier.toSorted(), [
      'zitadel.action.v2beta.ActionService',
      'zitadel.feature.v2beta.FeatureService',
      'zitadel.idp.v2beta.IdentityProviderService',
      'zitadel.oidc.v2alpha.OIDCService',
      'zitadel.oidc.v2beta.OIDCService',
      'zitadel.session.v2alpha.SessionService',
      'zitadel.session.v2beta.SessionService',
      'zitadel.settings.v2alpha.SettingsService',
      'zitadel.settings.v2beta.SettingsService',
      'zitadel.user.v2alpha.UserService',
      'zitadel.user.v2beta.UserService',
      'zitadel.webkey.v2beta.WebKeyService',
    ])
    const different = ['org', 'application', 'project', 'authorization', 'instance', 'internal_permission']
    for (const area of different) assert.equal(servesVersion(`signet.${area}.v2.AnyService`, 'v2beta'), false, area)
  })

  test('a field under its other number arrives where it belongs', async (context) => {
    const { url } = await startServer(context, [...sampleMethods, ...echoMethods])
    const other = new BinaryWriter().tag(3, WireType.LengthDelimited).string('chosen')
    const request = Buffer.concat([
      toBinary(AddOrganizationRequestSchema, create(AddOrganizationRequestSchema, { name: 'n' })),
      other.finish(),
    ])
    const response = await post(
      `${url}/signet.org.v2.OrganizationService/AddOrganization`,
      'application/proto',
      request,
    )
    const reply = fromBinary(AddOrganizationResponseSchema, new Uint8Array(await response.arrayBuffer()))
    assert.equal(reply.organizationId, 'chosen')

    // Inside lists, maps and oneofs too.
    const inner = new BinaryWriter().tag(901, WireType.LengthDelimited).string('inner').finish()
    const fieldNumber = (name: string) => Everything.fields.find((field) => field.name === name)?.number ?? 0
    const nested = new BinaryWriter()
    for (const name of ['parts', 'part', 'right']) nested.tag(fieldNumber(name), WireType.LengthDelimited).bytes(inner)
    const echoed = await post(`${url}/signet.sample.v2.SampleService/Echo`, 'application/proto', nested.finish())
    assert.deepEqual(
      [...new Uint8Array(await echoed.arrayBuffer())].length,
      3 * ('inner'.length + 2) + 3 * 2 + ['parts', 'part', 'right'].filter((name) => fieldNumber(name) > 15).length,
    )
  })
})
