/**
 * Every limit and oneof of operations 1 to 6 at the boundary and one beyond, over JSON and gRPC. The cases come from
 * the descriptors, so a limit that is new or changed in the contract is tested without anybody writing a line; that the
 * contract says what was asked for is checked against a table.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { after, before, suite, test } from 'node:test'
import {
  type DescField,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf'
import { allMethods } from '../support/services.ts'
import { openWorld, type World } from '../support/world.ts'
import { type Problem, readRestProblem, readStatus } from './answer.ts'
import { findLimits } from './limit-cases.ts'
import { casesOf, fieldsOf, INVALID_ARGUMENT, isFine } from './limit-tries.ts'
import { leastOf, requestWith } from './limit-values.ts'
import { frame, sendRaw } from './raw.ts'
import { seedOperations } from './seed-limits.ts'
import { startServer, type TestServer } from './server.ts'

suite('the contract', () => {
  for (const [name, seed] of Object.entries(seedOperations)) {
    const limits = findLimits(allMethods.get(name)?.input ?? assert.fail(`no method ${name}`))
    test(`has the limits that were asked for in ${name}`, () => {
      for (const [path, { min, max, required = false }] of Object.entries(seed.limits)) {
        const found = limits.find((limit) => limit.path === path && 'min' in limit)
        assert.ok(found !== undefined && 'min' in found, `${path} has no limit`)
        assert.deepEqual({ min: found.min, max: found.max, required: found.isRequired }, { min, max, required }, path)
      }
      for (const path of seed.required) {
        assert.ok(
          limits.some((limit) => limit.kind === 'message' && limit.path === path),
          `${path} is not required`,
        )
      }
      for (const [path, names] of Object.entries(seed.enums)) {
        const found = limits.find((limit) => limit.kind === 'enum' && limit.path === path)
        assert.ok(found?.kind === 'enum', `${path} is no enum`)
        assert.deepEqual(
          found.type.values.map((value) => value.name),
          names,
        )
      }
      for (const [path, members] of Object.entries(seed.oneofs)) {
        const found = limits.flatMap((limit) => (limit.kind === 'oneof' && limit.path === path ? [limit.oneof] : []))
        const names = found.map(({ fields }) => fields.map(({ jsonName }) => jsonName))
        assert.deepEqual(names, [members], `in ${path || 'the request'}`)
      }
    })
  }
})

suite('the limits of the contract hold over JSON and gRPC', () => {
  let world: World
  let server: TestServer
  let headers: Readonly<Record<string, string>>
  let session: ReturnType<typeof connect>
  before(async () => {
    world = await openWorld()
    server = await startServer(undefined, world.methods, world.authorize)
    session = connect(server.url)
    headers = { authorization: `Bearer ${world.owner.bearer}` }
  })
  after(async () => {
    session.close()
    await server.close()
    await world.dispose()
  })

  const overJson = async (name: string, body: JsonObject): Promise<Problem | undefined> => {
    const [method = '', template = ''] = seedOperations[name]?.rest ?? []
    const places = Array.from(template.matchAll(/\{(\w+)\}/g), ([, field = '']) => String(body[field] ?? ''))
    // With nothing in a place of it, a path is another one.
    if (places.includes('')) return overGrpc(name, body)
    const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(places.shift() ?? ''))
    const response = await fetch(server.url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = JSON.parse(await response.text())
    return response.ok ? undefined : readRestProblem(answer)
  }

  const overGrpc = async (name: string, ...bodies: readonly JsonValue[]): Promise<Problem | undefined> => {
    const { input } = allMethods.get(name) as DescMethodUnary
    // Messages one after the other are one message: of a oneof, and of every single field, the last one counts.
    const bytes = Buffer.concat(bodies.map((body) => toBinary(input, fromJson(input, body))))
    const request = { path: `/${name}`, type: 'application/grpc', chunks: [frame(bytes)], headers }
    const { grpcStatus, headers: head, trailers } = await sendRaw(session, request)
    if (grpcStatus === 0) return undefined
    const details = trailers['grpc-status-details-bin'] ?? head['grpc-status-details-bin']
    return readStatus(Buffer.from(String(details), 'base64'))
  }

  for (const name of Object.keys(seedOperations)) {
    const input = allMethods.get(name)?.input ?? assert.fail(name)
    const limits = findLimits(input)
    suite(name, () => {
      test('with the least that must be given', async () => {
        isFine(await overJson(name, leastOf(input)), '', 'JSON')
        isFine(await overGrpc(name, leastOf(input)), '', 'gRPC')
      })

      for (const limit of limits) {
        const cases = casesOf(limit)
        if (cases.length === 0) continue
        test(`${limit.path}: ${cases.map(({ what }) => what).join('; ')}`, async () => {
          for (const { what, value, judge } of cases) {
            judge(await overJson(name, requestWith(input, limit.steps, value())), limit.path, `${what}, JSON`)
            judge(await overGrpc(name, requestWith(input, limit.steps, value())), limit.path, `${what}, gRPC`)
          }
        })
      }

      for (const limit of limits) {
        if (limit.kind !== 'oneof') continue
        const { oneof, steps, path } = limit
        const sampleOf = (field: DescField): JsonValue => {
          if (field.message !== undefined) return leastOf(field.message)
          return field.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL ? true : ''
        }
        const alone = (field: DescField) => requestWith(input, [...steps, { field, isItem: false }], sampleOf(field))
        const both = (one: DescField, other: DescField): JsonObject => {
          const whole = alone(one)
          let place = whole as Record<string, JsonValue>
          for (const { field } of steps) place = place[field.jsonName] as Record<string, JsonValue>
          place[other.jsonName] = sampleOf(other)
          return whole
        }

        test(`${path || 'the request'}: one of ${oneof.fields.map(({ jsonName }) => jsonName).join(', ')}`, async () => {
          for (const field of oneof.fields) {
            isFine(await overJson(name, alone(field)), path, `with ${field.jsonName} alone, JSON`)
            isFine(await overGrpc(name, alone(field)), path, `with ${field.jsonName} alone, gRPC`)
            for (const other of oneof.fields) {
              if (other === field) continue
              const what = `${field.jsonName} and ${other.jsonName}`
              const problem = await overJson(name, both(field, other))
              assert.equal(problem?.code, INVALID_ARGUMENT, what)
              assert.ok(
                fieldsOf(problem).some((one) => one.startsWith(path)),
                what,
              )
              // Binary messages cannot say both: the later one replaces the earlier.
              isFine(await overGrpc(name, alone(field), alone(other)), path, `${what}, gRPC`)
            }
          }
        })
      }
    })
  }

  test('what cannot be read does not hide what is too long, too short or missing', async () => {
    const cases: readonly (readonly [name: string, body: JsonObject, fields: readonly string[]])[] = [
      [
        'signet.management.v1.ManagementService/AddMachineUser',
        { user_name: '', name: 5, description: 'x'.repeat(501) },
        ['description', 'name', 'user_name'],
      ],
      [
        'signet.user.v2.UserService/AddHumanUser',
        { profile: { given_name: 7 }, email: 'a@example.org', metadata: [5, { key: '', value: 'eA==' }, null] },
        ['email', 'metadata[0]', 'metadata[1].key', 'metadata[2]', 'profile.given_name', 'profile.lastName'],
      ],
      [
        'signet.user.v2.UserService/VerifyPasskeyRegistration',
        { userId: 'a', passkeyId: 'b', publicKeyCredential: 5, passkeyName: '' },
        ['passkeyName', 'publicKeyCredential'],
      ],
    ]
    for (const [name, body, fields] of cases) {
      const problem = await overJson(name, body)
      assert.equal(problem?.code, INVALID_ARGUMENT, name)
      assert.deepEqual([...fieldsOf(problem)].sort(), fields, name)
    }
  })

  test('what breaks a limit does not hide what breaks a rule', async () => {
    const cases: readonly (readonly [name: string, body: JsonObject, fields: readonly string[]])[] = [
      [
        'signet.management.v1.ManagementService/AddOrgOIDCIDP',
        { name: '', clientId: 'a', clientSecret: 'b', issuer: 'http://example.org' },
        ['issuer', 'name'],
      ],
      [
        'signet.admin.v1.AdminService/AddSMTPConfig',
        { senderAddress: 'not an address', senderName: '', host: 'mail.example.org' },
        ['host', 'senderAddress', 'senderName'],
      ],
      [
        'signet.user.v2.UserService/AddHumanUser',
        {
          username: 'a\nb',
          profile: { firstName: '', lastName: 'b', preferredLanguage: 'a!' },
          email: { email: 'nobody', sendCode: { urlTemplate: 'ftp://example.org' } },
          phone: { phone: 'abc' },
          metadata: [{ key: 'a\u0007', value: 'eA==' }],
        },
        [
          'email.email',
          'email.sendCode.urlTemplate',
          'metadata[0].key',
          'phone.phone',
          'profile.firstName',
          'profile.preferredLanguage',
          'username',
        ],
      ],
      [
        'signet.user.v2.UserService/CreateUser',
        { organizationId: '', username: 'a\nb', machine: { name: 'a\nb' } },
        ['machine.name', 'organizationId', 'username'],
      ],
      [
        'signet.management.v1.ManagementService/AddMachineUser',
        { userName: 'a\nb', name: '', description: 'a\u0007' },
        ['description', 'name', 'userName'],
      ],
    ]
    for (const [name, body, fields] of cases) {
      const problem = await overGrpc(name, body)
      assert.equal(problem?.code, INVALID_ARGUMENT, name)
      assert.deepEqual([...fieldsOf(problem)].sort(), fields, name)
    }
  })

  test('a value that is too large is checked by no rule', async () => {
    const name = 'signet.user.v2.UserService/AddHumanUser'
    const profile = { firstName: '', lastName: 'b' }
    const broken = { profile, email: { email: 'a@example.org' }, phone: { phone: 'abc' } }
    const brokenFields = async (body: JsonObject) =>
      [...fieldsOf((await overGrpc(name, body)) ?? assert.fail('it was not refused'))].sort()
    assert.deepEqual(await brokenFields(broken), ['phone.phone', 'profile.firstName'])
    const tooLarge = { ...broken, username: 'ß'.repeat(1_000_000) }
    assert.deepEqual(await brokenFields(tooLarge), ['profile.firstName', 'username'])
  })

  test('and none of it was a fault', () => assert.deepEqual(server.faults, []))
})
