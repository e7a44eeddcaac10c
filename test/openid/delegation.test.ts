/**
 * Agents act on behalf of users who allowed it: the token names both, has no more than the user's own and than the user
 * allowed, and ends with either token, with the consent, and with everything that those depend on.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type GrantSubject, takeAccessBack } from '../../src/features/grants/index.ts'
import { allowAt } from '../support/agents.ts'
import {
  type Agent,
  BOTH,
  type DelegationScene,
  EXCHANGE,
  openDelegationScene,
  TYPE,
  tokenOf,
} from '../support/delegation.ts'
import { engines } from '../support/engines.ts'
import { askToken, assertError, basic, introspect, post } from '../support/openid-flow.ts'
import type { Application } from '../support/openid-world.ts'
import { FILES, MCP, readToken } from '../support/resources.ts'

for (const engine of engines) {
  suite(`delegation on ${engine.name}`, () => {
    let s: DelegationScene

    before(async () => {
      s = await openDelegationScene(engine)
    })

    after(async () => {
      await s.world.dispose()
      assert.deepEqual(s.world.faults, [])
    })

    test('gives a token that names the user and the agent, for the resource alone', async () => {
      const subject = await s.userToken()
      const answer = await s.delegate(subject)
      const token = readToken(tokenOf(answer))
      const own = readToken(subject)
      assert.deepEqual(
        [token.sub, token.act, token.aud, token.client_id, token.scope, token.auth_time, token.typ],
        [
          own.sub,
          { sub: s.agent.machine.userId, iss: s.world.url },
          MCP,
          s.agent.clientId,
          BOTH,
          own.auth_time,
          'at+jwt',
        ],
      )
      assert.ok(Number(token.exp) <= Number(own.exp))
      assert.equal(answer.body.issued_token_type, `${TYPE}access_token`)
      const { body } = await introspect(s.world, s.api, answer.body.access_token)
      assert.deepEqual([body.active, body.act?.sub], [true, s.agent.machine.userId])
    })

    test('the log names the agent and the user', async () => {
      const ada = await s.world.addPerson('lin', {
        profile: { firstName: 'Lin', lastName: 'Wu', displayName: 'Lin Wu' },
      })
      const named = { ...(await s.addAgent()), name: 'Travel agent' }
      await s.world.call(
        ApplicationService.method.updateApplication,
        { applicationId: named.id, projectId: named.projectId, name: named.name },
        s.world.owner,
      )
      await s.consentTo(named, BOTH, 'lin')
      const { jti } = readToken(await s.delegated(await s.userToken('lin'), named))
      const grantId = String(jti).split('.')[0] ?? ''
      const [opened] = await s.world.store.events({ id: grantId, limit: 1 })
      const { delegation, userId } = (opened?.data ?? assert.fail('no event')) as GrantSubject
      assert.deepEqual(delegation, { agent: named.name, user: 'Lin Wu' })
      assert.equal(userId, ada)
    })

    test('narrows the scope, to what is asked for or to what the user allowed', async () => {
      const reader = await s.addAgent()
      await s.consentTo(reader, 'tools:read')
      const subject = await s.userToken()
      assert.equal(readToken(await s.delegated(subject, s.agent, { scope: 'tools:write' })).scope, 'tools:write')
      assert.equal(readToken(await s.delegated(subject, reader)).scope, 'tools:read')
      assertError(await s.delegate(subject, reader, { scope: BOTH }), 400, 'access_denied')
      const small = await s.userToken('ada', 'tools:read')
      assertError(await s.delegate(small, s.agent, { scope: BOTH }), 400, 'invalid_scope')
      assert.equal(readToken(await s.delegated(small)).scope, 'tools:read')
      assertError(await s.delegate(await s.userToken('ada', 'tools:write'), reader), 400, 'access_denied')
    })

    test('needs the consent of the user to this agent and for this resource', async () => {
      const unknown = await s.addAgent()
      assertError(await s.delegate(await s.userToken(), unknown), 400, 'access_denied')
      await s.world.addPerson('bo')
      assertError(await s.delegate(await s.userToken('bo')), 400, 'access_denied')
      await s.consentTo(s.agent, BOTH, 'bo', FILES)
      assertError(await s.delegate(await s.userToken('bo')), 400, 'access_denied')
      assert.equal(readToken(await s.delegated(await s.userToken('bo', BOTH, FILES))).aud, FILES)
    })

    test('keeps the chain of agents, which is bounded, and ends with each of them', async () => {
      const agents: Agent[] = []
      for (let count = 0; count < 5; count += 1) agents.push(await s.addAgent())
      for (const one of agents) await s.consentTo(one)
      const tokens = [await s.userToken()]
      for (const one of agents.slice(0, 4)) tokens.push(await s.delegated(tokens.at(-1) ?? '', one))
      const [first, second, third, fourth] = agents.map(({ machine }) => ({ sub: machine.userId, iss: s.world.url }))
      assert.deepEqual(readToken(tokens.at(-1) ?? '').act, {
        ...fourth,
        act: { ...third, act: { ...second, act: first } },
      })
      assertError(await s.delegate(tokens.at(-1) ?? '', agents[4]), 400, 'invalid_request')
      const { sub } = readToken(tokens[0] ?? '')
      await takeAccessBack(s.world.app, s.world.origin(), String(sub), agents[1]?.id ?? '')
      assert.deepEqual(await Promise.all(tokens.map(s.isActive)), [true, true, false, false, false])
    })

    test('removing the consent ends the tokens in that commit, also those that were derived from them', async () => {
      const one = await s.addAgent()
      await s.consentTo(one)
      const subject = await s.userToken()
      const token = await s.delegated(subject, one)
      const child = tokenOf(
        await askToken(s.world, s.front, {
          grant_type: EXCHANGE,
          subject_token: token,
          subject_token_type: `${TYPE}access_token`,
        }),
      )
      assert.deepEqual(readToken(child).act, { sub: one.machine.userId, iss: s.world.url })
      await takeAccessBack(s.world.app, s.world.origin(), String(readToken(subject).sub), one.id)
      assert.deepEqual(await Promise.all([subject, token, child].map(s.isActive)), [true, false, false])
      assertError(await s.delegate(subject, one), 400, 'access_denied')
      await s.consentTo(one)
      assert.equal(await s.isActive(token), false, 'a new consent brings no token back')
      assert.equal(await s.isActive(await s.delegated(subject, one)), true)
    })

    test('is possible while the project of the resource allows it', async () => {
      const subject = await s.userToken()
      const token = await s.delegated(subject)
      await allowAt(s.world, s.projectId, { onBehalfOf: false })
      assert.equal(await s.isActive(token), false)
      assertError(await s.delegate(subject), 400, 'access_denied')
      await allowAt(s.world, s.projectId, { onBehalfOf: true })
      assert.equal(await s.isActive(token), true)
    })

    /** What ends a s.delegated token; each has a user and an agent of its own. */
    const endings: Readonly<Record<string, (given: Ending) => Promise<unknown>>> = {
      'the token of the user is revoked': ({ subject }) => revoke(subject, s.front),
      'the token of the agent is revoked': ({ actor, by }) => revoke(actor, by.machine),
      'the secret of the agent is removed': ({ by: { machine } }) =>
        s.world.call(ManagementService.method.removeMachineSecret, { userId: machine.userId }, s.world.owner),
      'the machine of the agent is deactivated': ({ by: { machine } }) =>
        s.world.call(UserService.method.deactivateUser, { userId: machine.userId }, s.world.owner),
      'the application of the agent is deactivated': ({ by }) =>
        s.world.call(
          ApplicationService.method.deactivateApplication,
          { applicationId: by.id, projectId: by.projectId },
          s.world.owner,
        ),
      'the user is locked': ({ userId }) => s.world.call(UserService.method.lockUser, { userId }, s.world.owner),
      'the user is deactivated': ({ userId }) =>
        s.world.call(UserService.method.deactivateUser, { userId }, s.world.owner),
      'the user gets another password': ({ userId }) =>
        s.world.call(
          UserService.method.setPassword,
          { userId, newPassword: { password: 'Another horse 9 battery' } },
          s.world.owner,
        ),
      'the organization of the user is deactivated': ({ organizationId }) =>
        s.world.call(OrganizationService.method.deactivateOrganization, { organizationId }, s.world.owner),
    }

    interface Ending {
      readonly userId: string
      readonly organizationId: string
      readonly subject: string
      readonly actor: string
      readonly by: Agent
    }

    const revoke = (token: string, client: Pick<Application, 'clientId' | 'clientSecret'>) =>
      post(`${s.world.url}/oauth/v2/revoke`, { token }, basic(client))

    for (const [what, end] of Object.entries(endings)) {
      test(`ends when ${what}, and gives nothing after that`, async () => {
        const name = `user-${s.world.app.newId()}`
        const { organizationId } = await s.world.call(
          OrganizationService.method.addOrganization,
          { name },
          s.world.owner,
        )
        const organisation = { org: { case: 'orgId', value: organizationId } }
        const userId = await s.world.addPerson(name, { organisation })
        const by = await s.addAgent()
        await s.consentTo(by, BOTH, name)
        const [subject, actor] = [await s.userToken(name), await s.actorOf(by)]
        const token = await s.delegated(subject, by, { actor_token: actor })
        assert.equal(await s.isActive(token), true)
        await end({ userId, organizationId, subject, actor, by })
        assert.equal(await s.isActive(token), false)
        assert.notEqual((await s.delegate(subject, by, { actor_token: actor })).status, 200)
      })
    }

    test('a withdrawal at the moment of an exchange leaves no token that counts', async () => {
      for (let count = 0; count < 5; count += 1) {
        const one = await s.addAgent()
        await s.consentTo(one)
        const subject = await s.userToken()
        const actor = { actor_token: await s.actorOf(one) }
        const [answer] = await Promise.all([
          s.delegate(subject, one, actor),
          takeAccessBack(s.world.app, s.world.origin(), String(readToken(subject).sub), one.id),
        ])
        if (answer.status === 200) assert.equal(await s.isActive(answer.body.access_token), false)
      }
    })
  })
}
