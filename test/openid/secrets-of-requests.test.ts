/** Readers of the log, of the event stream and of webhooks see what was asked for, and nothing that acts for somebody. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { WebhookService } from '../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { engines } from '../support/engines.ts'
import { askToken, authorizationUrl, basic, codeForm, post, signInFor } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { addProvider } from '../support/saml-world.ts'

for (const engine of engines) {
  suite(`secrets of authorization requests on ${engine.name}`, () => {
    let world: OpenIdWorld
    const secrets: Record<string, string> = {}
    const given = {
      state: 'state-of-the-application',
      nonce: 'nonce-of-the-application',
      login_hint: 'hint-of-the-application',
      relay: 'relay-state-of-the-provider',
      'state of a logout': 'state-of-the-logout',
    }

    async function use() {
      const application = await world.addApplication({
        grantTypes: [0, 2, 4],
        postLogoutRedirectUris: [REDIRECT_URI],
      })
      const asked = { state: given.state, nonce: given.nonce, login_hint: given.login_hint }
      const browser = world.browser()
      const { id_token: token } = await signInFor(world, application, asked, { browser })
      const hinted = authorizationUrl(world, application, { ...asked, id_token_hint: token, prompt: 'login' })
      await world.browser().open(hinted)
      const form = {
        client_id: application.clientId,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'openid',
      }
      const pushed = await post(`${world.url}/oauth/v2/par`, { ...form, ...asked }, basic(application))
      const address = String(pushed.body.request_uri)
      const query = new URLSearchParams({ client_id: application.clientId, request_uri: address })
      const stop = await world
        .signIn(world.browser(), await world.browser().open(`${world.url}/oauth/v2/authorize?${query}`), 'ada')
        .catch(() => undefined)
      if (stop?.url.startsWith(REDIRECT_URI))
        await askToken(world, application, codeForm(new URL(stop.url).searchParams))
      const device = { scope: 'openid', login_hint: given.login_hint, id_token_hint: token }
      await post(`${world.url}/oauth/v2/device_authorization`, device, basic(application))
      const provider = await addProvider(world)
      await browser.open(await provider.signOnUrl(given.relay))
      const end = { id_token_hint: token, post_logout_redirect_uri: REDIRECT_URI, state: given['state of a logout'] }
      await browser.open(`${world.url}/oidc/v1/end_session?${new URLSearchParams(end)}`)
      Object.assign(secrets, given, { 'ID token': token, 'address of a pushed request': address })
    }

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      await use()
      assert.match(secrets['address of a pushed request'] ?? '', /^urn:/)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const places: Readonly<Record<string, () => Promise<string>>> = {
      ListEvents: async () => {
        const { events } = await world.call(AdminService.method.listEvents, { limit: 1000 }, world.owner)
        return JSON.stringify(events.map(({ type, payload }) => ({ type, payload })))
      },
      'the stream of events': async () => {
        const end = new AbortController()
        const { body } = await fetch(`${world.url}/v2/events/stream?after=0`, {
          headers: { authorization: `Bearer ${world.owner.bearer}` },
          signal: end.signal,
        })
        let text = ''
        for await (const chunk of body ?? assert.fail('no body')) {
          text += Buffer.from(chunk).toString()
          if (text.includes('event: heartbeat')) break
        }
        return text
      },
      'a webhook of the instance': () => sentTo({}),
      'a webhook of the organization': () => sentTo({ organizationId: world.defaultOrganizationId }),
    }

    /** All requests that a webhook gets, with the documents of the objects. */
    async function sentTo(where: object): Promise<string> {
      const hook = { name: 'Hook', endpoint: 'https://hook.example/', includesDocument: true, ...where }
      const { webhookId } = await world.call(WebhookService.method.createWebhook, hook, world.owner)
      const kind = world.app.destinations.find(({ name }) => name === 'webhook') ?? assert.fail('no webhooks')
      const { wants } = (await kind.list(world.app)).find(({ id }) => id === webhookId) ?? assert.fail('no webhook')
      const texts: unknown[] = []
      for (const event of await world.store.events({ ...wants, limit: 10_000 })) {
        texts.push((await kind.eventRequest(world.app, webhookId, event))?.body)
      }
      return texts.join('\n')
    }

    for (const [place, read] of Object.entries(places)) {
      test(`are not in ${place}, which says what was asked for`, async () => {
        const text = await read()
        assert.deepEqual(
          Object.entries(secrets)
            .filter(([, secret]) => text.includes(secret))
            .map(([name]) => name),
          [],
        )
        assert.ok(text.includes('grant.opened.v1'))
        if (place.includes('organization')) return
        for (const shown of ['"redirect_uri":"https://app.example/callback"', '"response_type":"code"']) {
          assert.ok(text.replaceAll(/\s/g, '').includes(shown), shown)
        }
      })
    }
  })
}
