/** Executions before and after methods, over every protocol, with a real receiver. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { ActionService } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { openActionWorld } from '../../../test/support/action-world.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { formatMetrics, Registry } from '../../http/monitoring/metrics.ts'
import { executionMetrics } from './metrics.ts'

const ADD_HUMAN = '/zitadel.user.v2.UserService/AddHumanUser'
const GET_TARGET = '/zitadel.action.v2.ActionService/GetTarget'

function registryOf(metrics: ReturnType<typeof executionMetrics>): Registry {
  const registry = new Registry()
  for (const metric of metrics) registry.add(metric)
  return registry
}

function codeOf(promise: Promise<unknown>): Promise<{ code: Code; message: string }> {
  return promise.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => {
      assert.ok(error instanceof ConnectError, String(error))
      return { code: error.code, message: error.rawMessage }
    },
  )
}

for (const engine of engines) {
  suite(`actions before and after methods on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      return world
    }

    test('a target gets the request byte for byte, signed, over gRPC', async (t) => {
      const world = await open(t)
      const { receiver, actions, headers, instanceId, defaultOrganizationId, machineAdministratorId } = world
      const id = await world.addTarget(`${receiver.url}/hook`)
      const { target } = await actions.getTarget({ id }, headers)
      await world.setExecution({ request: { method: GET_TARGET } }, [id])
      await actions.getTarget({ id }, headers)
      const [call] = await receiver.received(1)
      assert.equal(
        call?.body,
        `{"fullMethod":"${GET_TARGET}","instanceID":"${instanceId}","orgID":"${defaultOrganizationId}",` +
          `"userID":"${machineAdministratorId}","request":{"id":"${id}"},` +
          `"headers":{"Content-Type":["application/grpc+proto"],"Host":["${new URL(world.url).host}"]}}`,
      )
      const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(call?.headers['zitadel-signature'])) ?? []
      const key = target?.signingKey ?? ''
      assert.match(key, /^[A-Za-z0-9]{36}$/)
      assert.equal(mac, createHmac('sha256', key).update(`${seconds}.${call?.body}`).digest('hex'))
      assert.equal(call?.headers['content-type'], 'application/json')
    })

    test('calls are counted by kind and result, and targets that are left alone', async (t) => {
      const world = await open(t)
      const { receiver, rest } = world
      const path = `/v2/actions/targets/${await world.addTarget(receiver.url)}`
      const call = async (target: string) => {
        await world.setExecution({ request: { method: GET_TARGET } }, [target])
        return (await rest('GET', path)).status
      }
      assert.equal(await call(await world.addTarget(receiver.on('/fine', () => undefined))), 200)
      const forwarded = { forwardedStatusCode: 403, forwardedErrorMessage: 'Not on Sundays.' }
      assert.equal(await call(await world.addTarget(receiver.on('/no', () => forwarded))), 403)
      assert.equal(
        await call(
          await world.addTarget(
            receiver.on('/later', () => undefined),
            { restAsync: {} },
          ),
        ),
        200,
      )
      const dead = await world.addTarget('http://127.0.0.1:1/')
      for (let number = 0; number < 12; number++) await call(dead)
      const [calls, seconds, breakers] = executionMetrics(world.served)
      assert.ok(calls && 'values' in calls && seconds && 'values' in seconds && breakers && 'read' in breakers)
      assert.deepEqual(Object.fromEntries(calls.values.samples()), {
        'request\0succeeded': 1,
        'request\0forwarded': 1,
        'request\0queued': 1,
        'request\0failed': 10,
        'request\0skipped': 2,
      })
      assert.deepEqual(await breakers.read(), { failing: 0, open: 1 })
      const text = formatMetrics(await registryOf([calls, seconds, breakers]).snapshot())
      assert.match(text, /^signet_action_calls_total\{kind="request",result="skipped"\} 2$/m)
      assert.match(text, /^signet_action_call_seconds_count\{kind="request"\} 12$/m)
      assert.match(text, /^signet_action_breakers\{state="open"\} 1$/m)
    })

    test('a call target changes request and response, in every protocol and under every name', async (t) => {
      const world = await open(t)
      const { receiver, headers, url } = world
      const changed = await world.addTarget(`${receiver.url}/nothing`, { name: 'the other' })
      const onRequest = await world.addTarget(receiver.on('/request', () => ({ id: changed })))
      const seen: string[] = []
      const onResponse = await world.addTarget(
        receiver.on('/response', ({ body }) => {
          const { request, response } = JSON.parse(body) as { request: object; response: { target: object } }
          seen.push(JSON.stringify(request))
          return { target: { ...response.target, name: 'changed' } }
        }),
      )
      await world.setExecution({ request: { method: GET_TARGET } }, [onRequest])
      await world.setExecution({ response: { service: 'zitadel.action.v2.ActionService' } }, [onResponse])
      const transports = [
        createGrpcTransport({ baseUrl: url }),
        createGrpcWebTransport({ baseUrl: url, httpVersion: '1.1' }),
        createConnectTransport({ baseUrl: url, httpVersion: '1.1' }),
      ]
      for (const transport of transports) {
        const { target } = await createClient(ActionService, transport).getTarget({ id: 'whatever' }, headers)
        assert.equal(target?.id, changed)
        assert.equal(target?.name, 'changed')
        // It was not shown to the target, and is there again.
        assert.match(target?.signingKey ?? '', /^[A-Za-z0-9]{36}$/)
      }
      const beta = '/zitadel.action.v2beta.ActionService/GetTarget'
      for (const path of [GET_TARGET, beta, '/signet.action.v2.ActionService/GetTarget']) {
        const answer = await world.connect(path, { id: 'whatever' })
        assert.deepEqual((answer.body.target as { id: string }).id, changed, path)
      }
      for (const path of ['/v2/actions/targets/any', '/v2beta/actions/targets/any']) {
        assert.equal(((await world.rest('GET', path)).body.target as { id: string }).id, changed, path)
      }
      assert.ok(seen.every((request) => request === JSON.stringify({ id: changed })))
    })

    test('secrets are held back and named, and the call works with them', async (t) => {
      const world = await open(t)
      const { receiver } = world
      const id = await world.addTarget(
        receiver.on('/secrets', ({ body }) => {
          const { request } = JSON.parse(body) as { request: { profile: object } }
          return { ...request, profile: { ...request.profile, nickName: 'changed' } }
        }),
      )
      const method = '/zitadel.user.v2.UserService/AddHumanUser'
      await world.setExecution({ request: { method } }, [id])
      await world.setExecution({ response: { all: true } }, [await world.addTarget(`${receiver.url}/all`)])
      const password = 'Correct horse 7 battery'
      const added = await world.rest('POST', '/v2/users/human', {
        username: 'ada',
        organization: { orgId: world.defaultOrganizationId },
        profile: { givenName: 'Ada', familyName: 'Lovelace' },
        email: { email: 'ada@example.com', isVerified: true },
        password: { password, changeRequired: false },
      })
      assert.equal(added.status, 200, JSON.stringify(added.body))
      const [call, answer] = await receiver.received(2)
      assert.ok(!call?.body.includes(password) && !answer?.body.includes(password))
      assert.deepEqual((JSON.parse(call?.body ?? '') as { heldBack: unknown }).heldBack, ['request.password.password'])
      assert.deepEqual((JSON.parse(answer?.body ?? '') as { heldBack: unknown }).heldBack, [
        'request.password.password',
      ])
      const user = await world.rest('GET', `/v2/users/${String(added.body.userId)}`)
      assert.match(JSON.stringify(user.body), /"nickName":"changed"/)
      await world.setExecution({ request: { method } }, [])
      const checks = { user: { loginName: 'ada' }, password: { password } }
      const session = await world.rest('POST', '/v2/sessions', { checks })
      assert.equal(session.status, 201, JSON.stringify(session.body))
      // The token of the session was not shown, and the caller has it.
      assert.ok(String(session.body.sessionToken).length > 20)
      assert.ok(receiver.calls.every(({ body }) => !body.includes(String(session.body.sessionToken))))
    })

    test('fields have the names that clients of the ZITADEL API know, and answers may have ours', async (t) => {
      const world = await open(t)
      const { receiver } = world
      const answers: object[] = [{ givenName: 'Augusta', familyName: 'King' }, { firstName: 'Annabella' }]
      const id = await world.addTarget(
        receiver.on('/names', ({ body }) => {
          const { request } = JSON.parse(body) as { request: { profile: object } }
          assert.deepEqual(request.profile, { givenName: 'Ada', familyName: 'Byron' })
          const [first = {}] = answers.splice(0, 1)
          return { ...request, profile: { familyName: 'Byron', ...first } }
        }),
      )
      await world.setExecution({ request: { method: ADD_HUMAN } }, [id])
      const namesOf = async (username: string) => {
        const profile = { givenName: 'Ada', familyName: 'Byron' }
        const added = await world.rest('POST', '/v2/users/human', {
          username,
          profile,
          email: { email: 'a@b.example' },
        })
        assert.equal(added.status, 200, JSON.stringify(added.body))
        const { body } = await world.rest('GET', `/v2/users/${String(added.body.userId)}`)
        return /"givenName":"(\w+)","familyName":"(\w+)"/.exec(JSON.stringify(body))?.slice(1)
      }
      assert.deepEqual(await namesOf('first'), ['Augusta', 'King'])
      assert.deepEqual(await namesOf('second'), ['Annabella', 'Byron'])
    })

    test('an exact condition replaces that of the service, which replaces the one for all', async (t) => {
      const world = await open(t)
      const { receiver, rest } = world
      const targets = await Promise.all(
        ['method', 'service', 'all'].map((name) => world.addTarget(`${receiver.url}/${name}`)),
      )
      const [method = '', service = '', all = ''] = targets
      const call = async () => {
        receiver.calls.length = 0
        await rest('GET', `/v2/actions/targets/${all}`)
        return receiver.calls.map(({ path }) => path)
      }
      assert.deepEqual(await call(), [])
      await world.setExecution({ request: { all: true } }, [all])
      assert.deepEqual(await call(), ['/all'])
      await world.setExecution({ request: { service: 'zitadel.action.v2.ActionService' } }, [service])
      assert.deepEqual(await call(), ['/service'])
      await world.setExecution({ request: { method: GET_TARGET } }, [method, all])
      assert.deepEqual(await call(), ['/method', '/all'])
      await world.setExecution({ request: { method: GET_TARGET } }, [])
      assert.deepEqual(await call(), ['/service'])
    })

    test('each outcome of a target has its effect, with and without interruption', async (t) => {
      const world = await open(t)
      const { receiver, actions, headers } = world
      const forward = (status: unknown, message = 'no') => ({
        forwardedStatusCode: status,
        forwardedErrorMessage: message,
      })
      const cases: readonly (readonly [name: string, answer: Parameters<typeof receiver.on>[1], code: Code])[] = [
        ['invalid', () => forward(400), Code.InvalidArgument],
        ['unauthenticated', () => forward(401), Code.Unauthenticated],
        ['forbidden', () => forward(403), Code.PermissionDenied],
        ['missing', () => forward(404), Code.NotFound],
        ['conflict', () => forward(409), Code.AlreadyExists],
        ['many', () => forward(429), Code.ResourceExhausted],
        ['teapot', () => forward(418), Code.Unknown],
        ['out-of-range', () => forward(500), Code.FailedPrecondition],
        ['wrong-type', () => forward('403'), Code.FailedPrecondition],
        ['only-message', () => ({ forwardedErrorMessage: 'no' }), Code.FailedPrecondition],
        ['status', (_, response) => response.writeHead(500).end(), Code.FailedPrecondition],
        [
          'redirect',
          (_, response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end(),
          Code.FailedPrecondition,
        ],
        ['closed', (_, response) => response.destroy(), Code.Unknown],
        ['not-json', () => 'nonsense', Code.FailedPrecondition],
        ['unknown-member', () => ({ id: 'a', nonsense: 1 }), Code.FailedPrecondition],
        ['wrong-member', () => ({ id: { not: 'a text' } }), Code.FailedPrecondition],
        ['a-list', () => [1], Code.FailedPrecondition],
        ['too-long', () => ({ id: 'x'.repeat(2_000_000) }), Code.Unknown],
        ['breaks-limits', () => ({ id: '' }), Code.InvalidArgument],
      ]
      const good = await world.addTarget(receiver.on('/good', () => undefined))
      for (const [name, answer, code] of cases) {
        const endpoint = receiver.on(`/${name}`, answer)
        const id = await world.addTarget(endpoint, { name })
        await world.setExecution({ request: { method: GET_TARGET } }, [id, good])
        receiver.calls.length = 0
        const failed = await codeOf(actions.getTarget({ id: good }, headers))
        assert.equal(failed.code, code, `${name}: ${failed.message}`)
        if (name !== 'breaks-limits') {
          assert.deepEqual(
            receiver.calls.map(({ path }) => path),
            [`/${name}`],
          )
          const update = { id, targetType: { case: 'restCall', value: { interruptOnError: false } } } as const
          await actions.updateTarget(update, headers)
          assert.equal((await actions.getTarget({ id: good }, headers)).target?.id, good, name)
          assert.equal(receiver.calls.at(-1)?.path, '/good')
        }
      }
      assert.ok(!receiver.calls.some(({ path }) => path === '/elsewhere'))
    })

    test('a target hears nothing of a line of an import that its sender may not send', async (t) => {
      const world = await open(t)
      const { receiver } = world
      const added = (await world.rest('POST', '/v2/organizations', { name: 'Elsewhere' })).body
      const organizationId = String(added.organizationId)
      const machine = { organizationId, username: 'importer', machine: { name: 'importer' } }
      const userId = String((await world.rest('POST', '/v2/users/new', machine)).body.id)
      const expirationDate = new Date(world.clock.now + 86_400_000).toISOString()
      const { token } = (await world.rest('POST', `/v2/users/${userId}/pats`, { expirationDate })).body
      const resource = { organizationId }
      await world.connect('/signet.internal_permission.v2.InternalPermissionService/CreateAdministrator', {
        userId,
        resource,
        roles: ['ORG_OWNER'],
      })
      await world.setExecution({ request: { method: ADD_HUMAN } }, [await world.addTarget(`${receiver.url}/hook`)])
      const body = (orgId: string) =>
        JSON.stringify({
          organization: { orgId },
          profile: { givenName: 'Ada', familyName: 'Lovelace' },
          email: { email: 'ada@example.com' },
        })
      const send = (bearer: string, text: string) =>
        fetch(`${world.url}/v2/users/import`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-ndjson' },
          body: text,
        }).then((answer) => answer.text())
      assert.match(await send(String(token), body(world.defaultOrganizationId)), /access\.forbidden/)
      assert.deepEqual(receiver.calls, [])
      assert.match(await send(String(token), body(organizationId)), /created/)
      assert.equal(receiver.calls.length, 1)
    })

    test('the target that failed is named to administrators only', async (t) => {
      const world = await open(t)
      const { receiver, url } = world
      const id = await world.addTarget(
        receiver.on('/broken', (_, response) => response.writeHead(500).end()),
        { name: 'billing' },
      )
      await world.setExecution({ request: { service: 'zitadel.user.v2.UserService' } }, [id])
      const users = createClient(UserService, createGrpcTransport({ baseUrl: url }))
      const get = (token: string) =>
        codeOf(
          users.getUserByID(
            { userId: world.machineAdministratorId },
            { headers: { authorization: `Bearer ${token}` } },
          ),
        )
      const { message } = await get(world.token)
      assert.equal(message, `The target billing (${id}) answered with status 500.`)
      const { request } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      assert.equal((await get(request.bearer ?? '')).message, 'An action of this server failed.')
      // Without the permission, nothing is called.
      const before = receiver.calls.length
      const nobody = await world.addMachine()
      assert.equal((await get(nobody.request.bearer ?? '')).code, Code.PermissionDenied)
      assert.equal(receiver.calls.length, before)
    })

    test('a dead target before every request can be taken away again', async (t) => {
      const world = await open(t)
      const dead = await world.addTarget('http://127.0.0.1:1/', { restWebhook: { interruptOnError: true } })
      await world.setExecution({ request: { all: true } }, [dead])
      await world.setExecution({ response: { all: true } }, [dead])
      assert.equal((await world.rest('GET', `/v2/actions/targets/${dead}`)).status, 500)
      const update = await world.rest('POST', `/v2/actions/targets/${dead}`, { name: 'renamed' })
      assert.equal(update.status, 200, JSON.stringify(update.body))
      assert.equal((await world.setExecution({ request: { all: true } }, [])).status, 200)
      assert.equal((await world.rest('DELETE', `/v2/actions/targets/${dead}`)).status, 200)
      const list = await world.rest('POST', '/v2/actions/executions/search', {})
      assert.deepEqual(list.body.executions ?? [], [])
    })

    test('every node sees a new execution at once', async (t) => {
      const world = await open(t)
      const other = await world.serveAnother()
      const id = await world.addTarget(`${world.receiver.url}/hook`)
      const get = () =>
        fetch(`${other.url}/v2/actions/targets/${id}`, { headers: { authorization: `Bearer ${world.token}` } })
      await get()
      assert.equal(world.receiver.calls.length, 0)
      await world.setExecution({ request: { method: GET_TARGET } }, [id])
      await get()
      assert.equal(world.receiver.calls.length, 1)
      await world.rest('DELETE', `/v2/actions/targets/${id}`)
      await get()
      assert.equal(world.receiver.calls.length, 1)
    })
  })
}
