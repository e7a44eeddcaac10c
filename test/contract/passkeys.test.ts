/** Registering a passkey over every protocol: options and credentials are JSON objects inside of messages of any kind. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type JsonObject,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Answer, Problem } from './answer.ts'
import { type Caller, openCallers, type Request } from './callers.ts'
import { startServer, type TestServer } from './server.ts'

const { addHumanUser, registerPasskey, verifyPasskeyRegistration } = UserService.method
const ORIGIN = 'http://localhost:8080'

suite('a passkey is registered alike over', () => {
  let world: World
  let server: TestServer
  let callers: readonly Caller[] = []
  let userId = ''
  before(async () => {
    world = await openWorld()
    server = await startServer(undefined, world.methods, world.authorize)
    callers = openCallers(server.port)
    const profile = { firstName: 'Ada', lastName: 'Lovelace' }
    const email = { email: 'ada@example.com', verification: { case: 'isVerified', value: true } } as const
    // The administrator holds more than anybody, so everybody is theirs to register for.
    const added = await world.call(addHumanUser, { username: 'ada', profile, email }, world.owner)
    userId = added.userId
  })
  after(async () => {
    for (const { close } of callers) close?.()
    await server.close()
    await world.dispose()
  })

  const request = (method: DescMethodUnary, init: object, path: string): Request => ({
    method,
    message: create(method.input, init as MessageInitShape<DescMessage>) as Message,
    rest: { verb: 'POST', path, hasBody: true },
    headers: { authorization: `Bearer ${world.owner.bearer}` },
  })
  const replyOf = (answer: Answer): JsonObject => {
    assert.ok('reply' in answer, JSON.stringify(answer))
    return answer.reply as JsonObject
  }
  const problemOf = (answer: Answer): Problem => {
    assert.ok('problem' in answer)
    return answer.problem
  }

  test('every protocol, from the options to the key', async () => {
    for (const caller of callers) {
      const path = `/v2/users/${userId}/passkeys`
      const begun = replyOf(await caller.call(request(registerPasskey, { userId }, path)))
      const options = begun.publicKeyCredentialCreationOptions as JsonObject
      const { rp, timeout, attestation, pubKeyCredParams } = options.publicKey as JsonObject
      assert.deepEqual([rp, timeout, attestation], [{ id: 'localhost', name: 'Signet' }, 300_000, 'none'], caller.name)
      assert.deepEqual((pubKeyCredParams as JsonObject[])[0], { type: 'public-key', alg: -7 })

      const passkeyId = String(begun.passkeyId)
      const authenticator = newAuthenticator({ isSynced: true })
      const verify = (publicKeyCredential: JsonObject, id = passkeyId) => {
        const message = { userId, passkeyId: id, publicKeyCredential, passkeyName: caller.name }
        return caller.call(request(verifyPasskeyRegistration, message, `${path}/${id}`))
      }
      const idsOf = (answer: Answer) => {
        const { code, details } = problemOf(answer)
        return [code, ...details.slice(0, 1).map(({ value }) => (value as JsonObject).id)]
      }
      const foreign = authenticator.create(options, { origin: 'https://evil.example' })
      assert.deepEqual(idsOf(await verify(foreign)), [3, 'passkey.attestation_invalid'], caller.name)
      assert.deepEqual(idsOf(await verify({ short: true })), [3, 'request.invalid'], caller.name)
      assert.deepEqual(idsOf(await verify(foreign, 'unknown')), [5, 'passkey.not_found'], caller.name)
      const { details } = replyOf(await verify(authenticator.create(options, { origin: ORIGIN })))
      const { sequence, changeDate, creationDate, resourceOwner } = details as JsonObject
      assert.equal(resourceOwner, world.defaultOrganizationId)
      assert.equal(Date.parse(String(changeDate)), world.clock.now)
      assert.equal(changeDate, creationDate)
      assert.match(String(sequence), /^\d+$/)
    }
    const { result } = await world.call(UserService.method.listPasskeys, { userId }, world.owner)
    assert.deepEqual(result.map(({ name }) => name).sort(), callers.map(({ name }) => name).sort())
  })

  test('existing clients find the same under their own paths and prefixes', async () => {
    for (const version of ['v2', 'v2beta', 'v2alpha']) {
      const response = await fetch(`${server.url}/${version}/users/${userId}/passkeys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.owner.bearer}`, 'content-type': 'application/json' },
        body: '{}',
      })
      assert.equal(response.status, 200, version)
    }
  })

  test('numbers, lists and names that mean something to JavaScript come through unharmed', async () => {
    const strange = JSON.parse(
      '{"__proto__":{"a":1},"constructor":[null,1.5,true,"\\u2028"],"x":"0123456789012345678901234567890123"}',
    )
    for (const caller of callers) {
      const message = { userId, passkeyId: 'unknown', publicKeyCredential: strange, passkeyName: 'x' }
      const answer = await caller.call(
        request(verifyPasskeyRegistration, message, `/v2/users/${userId}/passkeys/unknown`),
      )
      assert.equal(problemOf(answer).code, 5, caller.name)
    }
    assert.equal(({} as { a?: number }).a, undefined)
  })

  test('and none of it was a fault', () => assert.deepEqual(server.faults, []))
})
