/** Personal access tokens that came from another product count wherever ours do. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { runMove } from '../../src/cli/import/move.ts'
import { dates, machineDraft, NEVER, ORGANIZATION, organizationDraft, sourceOf } from '../support/drafts.ts'
import { engines } from '../support/engines.ts'
import { encryptToken, TOKEN_KEY } from '../support/foreign-token.ts'
import { introspect } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

for (const engine of engines) {
  suite(`a personal access token of another product, on ${engine.name}`, () => {
    let world: OpenIdWorld
    const machine = machineDraft({
      tokens: [{ id: '99999999999999999', createdAt: dates.createdAt, expiresAt: NEVER }],
    })
    const token = encryptToken(`99999999999999999:${machine.id}`)
    const wrong = encryptToken(`99999999999999999:${ORGANIZATION}`)

    before(async () => {
      world = await openOpenIdWorld({ engine })
      const key = TOKEN_KEY.toString('base64url')
      const tokenKey = { ...dates, organizationId: '', kind: 'token-key', id: 'oidcKey', key } as const
      await runMove(world.app, sourceOf([tokenKey, organizationDraft(), machine]), { isQuiet: true })
    })
    after(() => world.dispose())

    test('is answered about at userinfo', async () => {
      const ask = (bearer: string) =>
        fetch(`${world.url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${bearer}` } })
      const answer = await ask(token)
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as { sub: string }).sub, machine.id)
      assert.equal((await ask(wrong)).status, 401)
    })

    test('is active for an API that asks', async () => {
      const api = await world.addApi(await world.addProject({ organizationId: ORGANIZATION }))
      const { body } = await introspect(world, api, token)
      assert.deepEqual([body.active, body.sub], [true, machine.id])
      assert.equal((await introspect(world, api, wrong)).body.active, false)
    })
  })
}
