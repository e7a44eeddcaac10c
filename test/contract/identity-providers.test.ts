/**
 * Operations 1 and 2 through every client: the same request gives the same answer, and every answer says that the
 * method is deprecated and what replaces it (RFC 9745).
 */
import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { after, before, suite, test } from 'node:test'
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type JsonObject,
  type Message,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Answer } from './answer.ts'
import { type Caller, openCallers, type Request } from './callers.ts'
import { frame, sendRaw } from './raw.ts'
import { startServer, type TestServer } from './server.ts'

const { addOrgOIDCIDP, updateOrgIDP } = ManagementService.method
const ADD = { verb: 'POST', path: '/management/v1/idps/oidc' }

const client = { clientId: 'us', clientSecret: 'hush', issuer: 'https://login.example' }

suite('operations 1 and 2', () => {
  let world: World
  let server: TestServer
  let callers: readonly Caller[] = []
  before(async () => {
    world = await openWorld()
    server = await startServer(undefined, world.methods, world.authorize)
    callers = openCallers(server.port)
  })
  after(async () => {
    for (const caller of callers) caller.close?.()
    await server.close()
    await world.dispose()
  })

  const request = (method: DescMethodUnary, init: object, rest: { verb: string; path: string }): Request => ({
    method,
    message: create(method.input, init as MessageInitShape<DescMessage>) as Message,
    rest: { ...rest, hasBody: true },
    headers: { authorization: `Bearer ${world.owner.bearer}`, 'x-service-orgid': world.defaultOrganizationId },
  })
  const adding = (init: object) => request(addOrgOIDCIDP, init, ADD)
  const changing = (idpId: string, init: object) =>
    request(updateOrgIDP, { idpId, ...init }, { verb: 'PUT', path: `/management/v1/idps/${encodeURIComponent(idpId)}` })

  const replyOf = (answer: Answer, who: string): JsonObject =>
    'reply' in answer ? (answer.reply as JsonObject) : assert.fail(`${who}: ${answer.problem.message}`)
  const problemOf = (answer: Answer) => {
    assert.ok('problem' in answer)
    const { code, details } = answer.problem
    const [first, second] = details.map(({ value }) => value as JsonObject)
    const violations = ((second?.fieldViolations ?? []) as readonly JsonObject[]).map(({ field }) => field)
    return [code, first?.id, ...violations]
  }

  test('give every client the same answer', async () => {
    for (const [index, { name: who, call }] of callers.entries()) {
      const name = `Provider ${index}`
      const reply = replyOf(await call(adding({ name, ...client, stylingType: 1, autoRegister: true })), who)
      const { idpId, details } = reply as { idpId: string; details: JsonObject }
      assert.deepEqual(Object.keys(reply).sort(), ['details', 'idpId'], who)
      assert.deepEqual(Object.keys(details).sort(), ['changeDate', 'creationDate', 'resourceOwner', 'sequence'], who)
      assert.equal(details.resourceOwner, world.defaultOrganizationId, who)
      assert.match(String(details.sequence), /^\d+$/, who)

      const taken = await call(adding({ name: name.toUpperCase(), ...client }))
      assert.deepEqual(problemOf(taken), [6, 'identity_provider.name_taken'], who)
      const badIssuer = await call(adding({ name: 'Bad', ...client, issuer: 'http://login.example' }))
      assert.deepEqual(problemOf(badIssuer), [3, 'identity_provider.issuer_invalid', 'issuer'], who)
      const empty = problemOf(await call(adding({})))
      assert.deepEqual(empty, [3, 'request.invalid', 'name', 'clientId', 'clientSecret', 'issuer'], who)

      const changed = replyOf(await call(changing(idpId, { name: `${name} b` })), who)
      assert.deepEqual(Object.keys(changed), ['details'], who)
      assert.deepEqual((changed.details as JsonObject).creationDate, details.creationDate, who)
      const again = await call(changing(idpId, { name: `${name} b` }))
      assert.deepEqual(problemOf(again), [9, 'identity_provider.unchanged'], who)
      const unknown = await call(changing('no such provider', { name }))
      assert.deepEqual(problemOf(unknown), [5, 'identity_provider.not_found'], who)
    }
    assert.deepEqual(server.faults, [])
  })

  test('tell every client that they are deprecated and what replaces them', async () => {
    const add = '/signet.management.v1.ManagementService/AddOrgOIDCIDP'
    const replacement = '</signet.management.v1.ManagementService/AddGenericOIDCProvider>; rel="successor-version"'
    const authorization = `Bearer ${world.owner.bearer}`
    const session = connect(server.url)
    let count = 0
    const bytes = () =>
      toBinary(addOrgOIDCIDP.input, create(addOrgOIDCIDP.input, { name: `Dep ${++count}`, ...client }))
    const json = () => JSON.stringify({ name: `Dep ${++count}`, ...client })
    for (const [path, type, body] of [
      [ADD.path, 'application/json', Buffer.from(json())],
      [add, 'application/json', Buffer.from(json())],
      [add, 'application/proto', bytes()],
      [add, 'application/grpc', frame(bytes())],
      [add, 'application/grpc-web+proto', frame(bytes())],
    ] as const) {
      const answer = await sendRaw(session, { path, type, chunks: [body], headers: { authorization } })
      assert.equal(answer.status, 200, `${type} ${path}`)
      assert.match(String(answer.headers.deprecation), /^@\d+$/, `${type} ${path}`)
      assert.equal(answer.headers.link, replacement, `${type} ${path}`)
    }
    session.close()
    const headers = { authorization, 'content-type': 'application/json' }
    const refused = await fetch(server.url + ADD.path, { method: 'POST', headers, body: '{}' })
    assert.equal(refused.status, 400)
    assert.match(refused.headers.get('deprecation') ?? '', /^@\d+$/)
    assert.equal(count, 5)
  })

  test('are shown under both names that clients have for the id', async () => {
    const headers = { authorization: `Bearer ${world.owner.bearer}`, 'content-type': 'application/json' }
    const ask = async (method: string, path: string, body?: object) =>
      (await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
    const { idpId } = (await ask('POST', ADD.path, { name: 'Both names', ...client })) as { idpId: string }
    const method = '/zitadel.management.v1.ManagementService/GetOrgIDPByID'
    for (const answer of [
      await ask('GET', `/management/v1/idps/${idpId}`),
      await ask('POST', method, { id: idpId }),
      await ask('POST', method, { idpId }),
    ]) {
      assert.equal((answer as { idp: JsonObject }).idp.id, idpId)
    }
  })

  test('are deprecated in the document, and their replacements are not', () => {
    const document = openApiDocument([ManagementService], { externalUrl: 'http://localhost', version: '1' })
    const paths = (document as unknown as { paths: Record<string, Record<string, { deprecated?: boolean }>> }).paths
    assert.equal(paths['/management/v1/idps/oidc']?.post?.deprecated, true)
    assert.equal(paths['/management/v1/idps/{idpId}']?.put?.deprecated, true)
    assert.ok(paths['/management/v1/idps/generic_oidc']?.post)
    assert.equal(paths['/management/v1/idps/generic_oidc']?.post?.deprecated, undefined)
    assert.equal(paths['/management/v1/idps/generic_oidc/{id}']?.put?.deprecated, undefined)
  })
})
