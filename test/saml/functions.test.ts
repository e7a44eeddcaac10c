/** The function `presamlresponse` of actions: attributes that targets add to responses. */
import assert from 'node:assert/strict'
import { after, afterEach, before, suite, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { findMetadata } from '../../src/features/metadata/index.ts'
import { type ActionWorld, openActionWorld } from '../support/action-world.ts'
import { engines } from '../support/engines.ts'
import { addProvider, formOf, readResponse, signOn } from '../support/saml-world.ts'

const condition = { function: { name: 'presamlresponse' } }
const URI = 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri'

for (const engine of engines) {
  suite(`the function for SAML responses on ${engine.name}`, () => {
    let world: ActionWorld
    let userId: string
    let projectId: string

    before(async () => {
      world = await openActionWorld(engine)
      userId = await world.addPerson('ada')
      projectId = await world.addProject()
      await world.rest('POST', `/management/v1/projects/${projectId}/roles`, {
        roleKey: 'editor',
        displayName: 'Editor',
      })
      const { status } = await world.rest('POST', `/management/v1/users/${userId}/grants`, {
        projectId,
        roleKeys: ['editor'],
      })
      assert.equal(status, 200)
    })

    afterEach(async () => {
      await world.setExecution(condition, [])
      world.receiver.calls.length = 0
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const run = async (...answers: readonly (JsonObject | undefined)[]) => {
      const targets = answers.map((answer, at) => world.receiver.on(`/saml/${at}`, () => answer))
      const ids = await Promise.all(targets.map((endpoint) => world.addTarget(endpoint)))
      const { status, body } = await world.setExecution(condition, ids)
      assert.equal(status, 200, JSON.stringify(body))
      const provider = await addProvider(world, { projectId })
      return { provider, page: await signOn(world, provider, world.browser(), 'ada') }
    }

    test('targets add attributes, and take the place of those with the same name', async () => {
      const { provider, page } = await run({
        append_attribute: [
          { name: 'department', name_format: URI, value: ['R&D', '<b>'] },
          { name: 'FullName', value: ['Countess Ada'] },
          { name: 'SurName', value: null },
          { name: 'NameID', value: ['somebody'] },
        ],
        set_user_metadata: [{ key: 'seen', value: Buffer.from('yes').toString('base64') }],
      })
      const { profile } = await readResponse(provider, page)
      assert.deepEqual(profile.department, ['R&D', '<b>'])
      assert.equal(profile.FullName, 'Countess Ada')
      assert.equal(profile.SurName, undefined)
      // An attribute with the name of a member is an attribute.
      assert.equal(profile.nameID, 'ada@example.com')
      assert.equal(profile.UserID, userId)
      const xml = Buffer.from(formOf(page).fields.SAMLResponse ?? '', 'base64').toString()
      assert.match(xml, new RegExp(`<saml:Attribute Name="department" NameFormat="${URI}">`))
      const { state } = (await findMetadata(world.app, userId, 'seen')) ?? assert.fail('there is no metadata')
      assert.equal(Buffer.from(state.value, 'base64').toString(), 'yes')
    })

    test('a target learns about the user in the order of the peer, and what the one before it answered', async () => {
      const answer = { append_attribute: [{ name: 'a', value: ['<1>'] }] }
      await run(answer, undefined)
      const [call, next] = world.receiver.calls
      const text = call?.body ?? ''
      assert.ok(
        text.startsWith(`{"function":"function/presamlresponse","user":{"id":"${userId}","creation_date":"`),
        text,
      )
      assert.match(
        text,
        /"state":1,"type":1,"username":"ada","login_names":\["ada"\],"preferred_login_name":"ada","human":\{"first_name":"ada",.*"mfa_init_skipped":"0001-01-01T00:00:00Z"\}\},"user_grants":\[\{"id":"\d+","creation_date":"[^"]*","change_date":"[^"]*","sequence":\d+,"roles":\["editor"\],"state":1,"user_id":"\d+","username":"ada","user_type":1,"user_resource_owner":"\d+","first_name":"ada","last_name":"Person","email":"ada@example.com","display_name":"ada Person","preferred_login_name":"ada","resource_owner":"\d+","org_name":"[^"]*","org_primary_domain":"[^"]*","project_id":"\d+","project_resource_owner":"\d+","project_name":"[^"]*"\}\]\}$/,
      )
      assert.ok(
        next?.body.endsWith(',"response":{"append_attribute":[{"name":"a","value":["\\u003c1\\u003e"]}]}}'),
        next?.body ?? '',
      )
    })

    test('a target that interrupts becomes a status, and one that cannot be read, too', async () => {
      const forwarded = { forwardedStatusCode: 403, forwardedErrorMessage: 'Not today' }
      const refused = await run(forwarded)
      const xml = Buffer.from(formOf(refused.page).fields.SAMLResponse ?? '', 'base64').toString()
      assert.match(xml, /status:RequestDenied.*Not today/)
      assert.ok(!xml.includes('Assertion '))
      const unusable = await run({ append_attribute: 'all' })
      const answer = Buffer.from(formOf(unusable.page).fields.SAMLResponse ?? '', 'base64').toString()
      assert.match(answer, /status:RequestDenied.*An action of this server failed\./)
    })
  })
}
