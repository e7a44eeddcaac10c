/** The providers of a login policy through every client, as a script does it that has just added one. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type JsonObject,
  type MessageInitShape,
} from '@bufbuild/protobuf'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Answer } from './answer.ts'
import { type Caller, openCallers, type Request } from './callers.ts'
import { startServer, type TestServer } from './server.ts'

const client = { clientId: 'us', clientSecret: 'hush', issuer: 'https://login.example' }

suite('providers of a login policy', () => {
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

  const request = (method: DescMethodUnary, init: object, verb: string, path: string): Request => ({
    method,
    message: create(method.input, init as MessageInitShape<DescMessage>),
    rest: { verb, path, hasBody: verb !== 'DELETE' },
    headers: { authorization: `Bearer ${world.owner.bearer}`, 'x-service-orgid': world.defaultOrganizationId },
  })
  const replyOf = (answer: Answer): JsonObject =>
    'reply' in answer ? (answer.reply as JsonObject) : assert.fail(answer.problem.message)
  const problemOf = (answer: Answer) => {
    assert.ok('problem' in answer)
    const { code, details } = answer.problem
    return [code, (details[0]?.value as JsonObject | undefined)?.id]
  }

  const SIDES = [
    {
      prefix: '/management/v1',
      service: ManagementService,
      owner: () => world.defaultOrganizationId,
      more: { ownerType: 2 },
    },
    { prefix: '/admin/v1', service: AdminService, owner: () => world.instanceId, more: {} },
  ] as const

  for (const { prefix, service, owner, more } of SIDES) {
    test(`are listed, taken off and put on again under ${prefix}`, async () => {
      const path = `${prefix}/policies/login/idps`
      for (const [index, { name: who, call }] of callers.entries()) {
        const name = `Provider ${prefix} ${index}`
        const { idpId } =
          service === ManagementService
            ? await world.call(ManagementService.method.addOrgOIDCIDP, { name, ...client }, world.owner)
            : await world.call(AdminService.method.addOIDCIDP, { name, ...client }, world.owner)
        const { addIDPToLoginPolicy, removeIDPFromLoginPolicy, listLoginPolicyIDPs } = service.method
        const add = () => call(request(addIDPToLoginPolicy, { idpId, ...more }, 'POST', path))
        const remove = (id = idpId) =>
          call(request(removeIDPFromLoginPolicy, { idpId: id }, 'DELETE', `${path}/${encodeURIComponent(id)}`))
        const listed = async () => {
          const { details, result } = replyOf(
            await call(request(listLoginPolicyIDPs, { query: { limit: 1 } }, 'POST', `${path}/_search`)),
          )
          assert.match(String((details as JsonObject).processedSequence), /^\d+$/, who)
          return ((result ?? []) as JsonObject[]).filter((one) => one.idpId === idpId)
        }
        for (const does of [add, add, remove, add]) {
          const reply = replyOf(await does())
          assert.deepEqual(Object.keys(reply), ['details'], who)
          assert.equal((reply.details as JsonObject).resourceOwner, owner(), who)
          const expected = does === add ? [{ idpId, idpName: name, idpType: 'IDP_TYPE_OIDC' }] : []
          assert.deepEqual(await listed(), expected, who)
        }
        replyOf(await remove())
        assert.deepEqual(problemOf(await remove()), [5, 'settings.provider_not_offered'], who)
        assert.deepEqual(problemOf(await remove('no such provider')), [5, 'identity_provider.not_found'], who)
        world.clock.now = (world.clock.now + 1000) as typeof world.clock.now
      }
      assert.deepEqual(server.faults, [])
    })
  }
})
