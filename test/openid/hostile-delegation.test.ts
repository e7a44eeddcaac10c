/** What gives no token on behalf of a user: tokens of others, more than was allowed, and roles of impersonation. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { allowHere } from '../support/agents.ts'
import { BOTH, type DelegationScene, EXCHANGE, openDelegationScene, TYPE, tokenOf } from '../support/delegation.ts'
import { engines } from '../support/engines.ts'
import { type Answer, askToken, assertError, basic, post, signInFor } from '../support/openid-flow.ts'
import { addMachineClient, assertionOf } from '../support/openid-keys.ts'
import { FILES, MCP, readToken } from '../support/resources.ts'

for (const engine of engines) {
  suite(`hostile delegation on ${engine.name}`, () => {
    let s: DelegationScene

    before(async () => {
      s = await openDelegationScene(engine)
    })

    after(async () => {
      await s.world.dispose()
      assert.deepEqual(s.world.faults, [])
    })

    /** Requests that get nothing, with the error that each of them is told. */
    const hostile: Readonly<Record<string, readonly [error: string, ask: () => Promise<Answer>]>> = {
      'an agent of another organization': [
        'invalid_request',
        async () => {
          const name = `Org ${s.world.app.newId()}`
          const { organizationId } = await s.world.call(
            OrganizationService.method.addOrganization,
            { name },
            s.world.owner,
          )
          const machine = await addMachineClient(s.world, 0, organizationId)
          return s.delegate(await s.userToken(), s.agent, { actor_token: await s.ownToken(machine, s.agent.projectId) })
        },
      ],
      'the token of an agent for another project': [
        'invalid_request',
        async () => {
          const other = await s.addAgent()
          return s.delegate(await s.userToken(), s.agent, { actor_token: await s.actorOf(other) })
        },
      ],
      'the token of the user as that of the agent': [
        'invalid_request',
        async () => {
          const token = await s.userToken()
          return s.delegate(token, s.agent, { actor_token: token })
        },
      ],
      'a token of another user as that of the agent': [
        'invalid_request',
        async () => {
          const { access_token: actor } = await signInFor(s.world, s.agent)
          return s.delegate(await s.userToken(), s.agent, { actor_token: actor })
        },
      ],
      'a delegated token as that of the agent': [
        'invalid_request',
        async () => {
          const token = await s.userToken()
          return s.delegate(token, s.agent, { actor_token: await s.delegated(token) })
        },
      ],
      'an exchanged token of the agent': [
        'invalid_request',
        async () => {
          const form = { subject_token: await s.actorOf(s.agent), subject_token_type: `${TYPE}access_token` }
          const exchanged = await askToken(s.world, s.agent, { grant_type: EXCHANGE, ...form })
          return s.delegate(await s.userToken(), s.agent, { actor_token: tokenOf(exchanged) })
        },
      ],
      'an agent that swaps the two tokens': [
        'invalid_request',
        async () => s.delegate(await s.actorOf(s.agent), s.agent, { actor_token: await s.userToken() }),
      ],
      'a token of the agent for the resource': [
        'invalid_request',
        async () => {
          const form = { grant_type: 'client_credentials', resource: MCP }
          const { body } = await post(`${s.world.url}/oauth/v2/token`, form, basic(s.agent.machine))
          return s.delegate(await s.userToken(), s.agent, { actor_token: body.access_token })
        },
      ],
      'an assertion instead of a token': [
        'invalid_request',
        async () => {
          const { machine } = s.agent
          const actor = await assertionOf(machine.key, machine.userId, s.world.url)
          return s.delegate(await s.userToken(), s.agent, { actor_token: actor, actor_token_type: `${TYPE}jwt` })
        },
      ],
      'the ID token of the user': [
        'invalid_request',
        async () => {
          const { id_token: token } = await signInFor(s.world, s.front, { scope: `openid ${BOTH}`, resource: MCP })
          return s.delegate(token, s.agent, { subject_token_type: `${TYPE}id_token` })
        },
      ],
      'the ID of the user': [
        'access_denied',
        async () => {
          await allowHere(s.world, { enableImpersonation: true })
          const { sub } = readToken(await s.userToken())
          return s.delegate(String(sub), s.agent, { subject_token_type: 'urn:zitadel:params:oauth:token-type:user_id' })
        },
      ],
      'a token of the user for the application, not for a resource': [
        'access_denied',
        async () => {
          await allowHere(s.world, { enableImpersonation: true })
          return s.delegate((await signInFor(s.world, s.agent)).access_token)
        },
      ],
      'a machine as the user': [
        'invalid_request',
        async () => {
          const form = { grant_type: 'client_credentials', resource: MCP }
          const { body } = await post(`${s.world.url}/oauth/v2/token`, form, basic(s.agent.machine))
          return s.delegate(body.access_token)
        },
      ],
      'another resource of the project': [
        'invalid_target',
        async () => s.delegate(await s.userToken(), s.agent, { resource: FILES }),
      ],
      'a resource that does not exist': [
        'invalid_target',
        async () => s.delegate(await s.userToken(), s.agent, { resource: 'https://other.example/' }),
      ],
      'another audience': [
        'invalid_target',
        async () => s.delegate(await s.userToken(), s.agent, { audience: s.agent.projectId }),
      ],
      'a scope that the resource does not have': [
        'invalid_scope',
        async () => s.delegate(await s.userToken(), s.agent, { scope: 'openid' }),
      ],
      'a client that does not authenticate': [
        'unauthorized_client',
        async () => {
          const by = await s.addAgent({ authMethodType: 2 })
          await s.consentTo(by)
          const form = {
            grant_type: EXCHANGE,
            client_id: by.clientId,
            subject_token: await s.userToken(),
            subject_token_type: `${TYPE}access_token`,
            actor_token: await s.actorOf(by),
            actor_token_type: `${TYPE}access_token`,
          }
          return post(`${s.world.url}/oauth/v2/token`, form)
        },
      ],
      'an application without this grant type': [
        'unauthorized_client',
        async () => {
          const by = await s.addAgent({ grantTypes: [0, 2] })
          await s.consentTo(by)
          return s.delegate(await s.userToken(), by)
        },
      ],
    }

    for (const [what, [error, ask]] of Object.entries(hostile)) {
      test(`is refused for ${what}`, async () => {
        assertError(await ask(), 400, error)
      })
    }

    test('is no impersonation: the role for that counts for nothing, and the setting is not needed', async () => {
      await allowHere(s.world, { enableImpersonation: true })
      const roles = ['IAM_OWNER', 'IAM_ADMIN_IMPERSONATOR']
      const by = await s.addAgent()
      const resourceOf = { resource: { case: 'instance', value: true } } as const
      const request = { userId: by.machine.userId, resource: resourceOf, roles }
      await s.world.call(InternalPermissionService.method.createAdministrator, request, s.world.owner)
      assertError(await s.delegate(await s.userToken(), by), 400, 'access_denied')
      await allowHere(s.world, { enableImpersonation: false })
      await s.delegated(await s.userToken())
    })
  })
}
