/** A logout goes to every service provider of the session, in the browser, and says at the end whether all of them followed. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import type { Profile } from '@node-saml/node-saml'
import { selfSigned } from '../../src/crypto/certificate.ts'
import { signLogoutTarget } from '../../src/features/sign-in/index.ts'
import { engines } from '../support/engines.ts'
import { signInFor } from '../support/openid-flow.ts'
import { type Browser, type OpenIdWorld, openOpenIdWorld, PASSWORD, type Stop } from '../support/openid-world.ts'
import {
  deflated,
  encoded,
  inflated,
  type MessageParts,
  messageOf,
  signedQuery,
  signedXml,
} from '../support/saml-messages.ts'
import { addProvider, formOf, type Provider, readResponse, SP_KEY, signOn } from '../support/saml-world.ts'

const FOREIGN = keyPair()

function keyPair() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const times = { notBefore: Date.UTC(2020, 0), notAfter: Date.UTC(2049, 0) }
  const certificate = selfSigned({ privateKey, commonName: 'other', serial: Buffer.alloc(16, 8), ...times })
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate }
}

const SAML = 'urn:oasis:names:tc:SAML:2.0'
const BY_FORM = `<md:SingleLogoutService xmlns:md="${SAML}:metadata" Binding="${SAML}:bindings:HTTP-POST" Location="https://form.example/slo"/><md:AssertionConsumerService xmlns:md="${SAML}:metadata" Binding="${SAML}:bindings:HTTP-POST" Location="https://form.example/acs" index="0"/>`
const DEAF = `<md:AssertionConsumerService xmlns:md="${SAML}:metadata" Binding="${SAML}:bindings:HTTP-POST" Location="https://deaf.example/acs" index="0"/>`

for (const engine of engines) {
  suite(`single logout on ${engine.name}`, () => {
    let world: OpenIdWorld

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** Signs in to some service providers in one session; the profile is what each of them knows. */
    const signedInTo = async (...providers: readonly Provider[]) => {
      const browser = world.browser()
      const profiles: Profile[] = []
      for (const provider of providers) {
        const page = await browser.open(await provider.signOnUrl())
        const isNew = page.text.includes('name="password"') || page.url.includes('/ui/login')
        const response = isNew ? await world.signIn(browser, page, 'ada') : page
        profiles.push((await readResponse(provider, response)).profile)
      }
      return { browser, profiles }
    }
    const of = (stop: Stop) => new URL(stop.url)
    const isAt = (stop: Stop, { entityId }: Provider) => assert.ok(stop.url.startsWith(`${entityId}/slo?`), stop.url)
    /** What a service provider reads in our request. */
    const asked = async ({ sp }: Provider, stop: Stop): Promise<Profile> => {
      const { search, searchParams } = of(stop)
      const { profile } = await sp.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1))
      return profile ?? assert.fail('there is no request')
    }
    const answerOf = async (provider: Provider, stop: Stop, isSuccess = true) =>
      provider.sp.getLogoutResponseUrlAsync(await asked(provider, stop), '', {}, isSuccess)
    /** The status of our answer, which the service provider takes for one. */
    const read = async ({ sp }: Provider, stop: Stop) => {
      const { search, searchParams } = of(stop)
      const { loggedOut } = await sp.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1))
      assert.equal(loggedOut, true)
      const codes = inflated(searchParams.get('SAMLResponse') ?? '').matchAll(/StatusCode Value="[^"]*:(\w+)"/g)
      return [...codes].map(([, code]) => code)
    }
    const SUCCESS = ['Success']
    const PARTIAL = ['Success', 'PartialLogout']
    const isSignedOut = async (browser: Browser, provider: Provider) =>
      assert.match((await browser.open(await provider.signOnUrl())).url, /\/ui\/login/)

    test('a service provider begins: the others are told who, and the answer is Success when all follow', async () => {
      const [first, second, third] = [await addProvider(world), await addProvider(world), await addProvider(world)]
      const { browser, profiles } = await signedInTo(first, second, third)
      const [mine] = profiles
      const [, ...told] = profiles
      const one = await browser.open(await first.sp.getLogoutUrlAsync(mine ?? assert.fail(), 'bye', {}))
      // The newest comes first. Our own session has ended before anybody was told.
      isAt(one, third)
      await isSignedOut(browser, second)
      const request = await asked(third, one)
      assert.deepEqual([request.nameID, request.sessionIndex], [told[1]?.nameID, told[1]?.sessionIndex])
      const two = await browser.open(await answerOf(third, one))
      isAt(two, second)
      assert.equal((await asked(second, two)).sessionIndex, told[0]?.sessionIndex)
      const done = await browser.open(await answerOf(second, two))
      isAt(done, first)
      assert.equal(of(done).searchParams.get('RelayState'), 'bye')
      assert.deepEqual(await read(first, done), SUCCESS)
      assert.equal(browser.cookies.has('signet_session'), false)
    })

    test('the answer is PartialLogout when one says no, and when one does not answer', async () => {
      for (const follow of [
        async (browser: Browser, other: Provider, stop: Stop) => browser.open(await answerOf(other, stop, false)),
        // Somebody who comes back without an answer continues without it.
        async (browser: Browser, _: Provider, stop: Stop) => browser.open(pathOf(stop)),
      ]) {
        const [first, other] = [await addProvider(world), await addProvider(world)]
        const { browser, profiles } = await signedInTo(first, other)
        const one = await browser.open(await first.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {}))
        isAt(one, other)
        const done = await follow(browser, other, one)
        isAt(done, first)
        assert.deepEqual(await read(first, done), PARTIAL)
      }
    })

    /** The page of ours that led to a service provider: the ID of the request names it. */
    const pathOf = (stop: Stop) => {
      const xml = inflated(of(stop).searchParams.get('SAMLRequest') ?? '')
      const id = /ID="_([0-9a-f]{40})\./.exec(xml)?.[1] ?? assert.fail(xml)
      return `${world.url}/saml/v2/logout/${id}`
    }

    test('a request without an index means the session of the browser, also by a form that brings no cookie', async () => {
      const provider = await addProvider(world)
      const other = await addProvider(world)
      const { browser, profiles } = await signedInTo(provider, other)
      const { sessionIndex: _, ...rest } = profiles[0] ?? assert.fail()
      const url = new URL(await provider.sp.getLogoutUrlAsync(rest as Profile, '', {}))
      const xml = inflated(url.searchParams.get('SAMLRequest') ?? '')
      assert.doesNotMatch(xml, /SessionIndex/)
      const cookie = browser.cookies.get('signet_session') ?? assert.fail()
      // Browsers hold the cookie back from a form of another site, and send it with the redirect that follows.
      browser.cookies.delete('signet_session')
      const form = new URLSearchParams({ SAMLRequest: encoded(signedXml(xml)) })
      const posted = await fetch(`${world.url}/saml/v2/SLO`, { method: 'POST', body: form, redirect: 'manual' })
      assert.equal(posted.status, 303)
      browser.cookies.set('signet_session', cookie)
      const one = await browser.open(`${world.url}${posted.headers.get('location')}`)
      isAt(one, other)
      assert.deepEqual(await read(provider, await browser.open(await answerOf(other, one))), SUCCESS)
      await isSignedOut(browser, provider)
    })

    test('another browser does not learn who else the user is known to', async () => {
      const [first, other] = [await addProvider(world), await addProvider(world)]
      const { browser, profiles } = await signedInTo(first, other)
      const stranger = world.browser()
      const done = await stranger.open(await first.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {}))
      isAt(done, first)
      assert.deepEqual(await read(first, done), PARTIAL)
      await isSignedOut(browser, other)
    })

    test('a service provider with another binding gets a form, and its answer by a form counts', async () => {
      const first = await addProvider(world)
      const byForm = await addProvider(world, {
        parts: { services: BY_FORM },
        options: { callbackUrl: 'https://form.example/acs' },
      })
      const browser = world.browser()
      await signOn(world, first, browser, 'ada')
      await browser.open(await byForm.signOnUrl())
      const page = await browser.send(await browser.open(`${world.url}/ui/logout`), {}, '/ui/logout')
      // The newest is asked first.
      const { action, fields } = formOf(page)
      assert.equal(action, 'https://form.example/slo')
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /form-action 'self' https:\/\/form\.example https:;?/,
      )
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      const { profile } = await byForm.sp.validatePostRequestAsync(fields)
      const answer = new URL(await byForm.sp.getLogoutResponseUrlAsync(profile ?? assert.fail(), '', {}, true))
      const xml = signedXml(inflated(answer.searchParams.get('SAMLResponse') ?? ''))
      const form = new URLSearchParams({ SAMLResponse: encoded(xml) })
      const next = await browser.submit(`${world.url}/saml/v2/SLO`, form)
      isAt(next, first)
      const done = await browser.open(await answerOf(first, next))
      assert.deepEqual([of(done).pathname, of(done).search], ['/ui/logout/done', ''])
      await isSignedOut(browser, first)
    })

    test('answers that nobody may give count for nothing, and the browser continues without them', async () => {
      const slo = `${world.url}/saml/v2/SLO`
      const status = (code: string, inner = '') =>
        `<samlp:Status><samlp:StatusCode Value="${SAML}:status:${code}">${inner}</samlp:StatusCode></samlp:Status>`
      const success = status('Success')
      const foreign = await addProvider(world, { parts: { signing: [FOREIGN.certificate] } })
      const name = 'LogoutResponse' as const
      type Given = { readonly issuer: string; readonly id: string }
      const response = ({ issuer, id }: Given, more: Partial<MessageParts> = {}) =>
        messageOf({ name, issuer, destination: slo, more: `InResponseTo="${id}"`, inside: success, ...more })
      const send = (search: string) => `${slo}?${search}`
      const query = (xml: string, key = SP_KEY) => send(signedQuery(xml, { name: 'SAMLResponse', key }))
      const hostile: Readonly<Record<string, (given: Given) => string>> = {
        'not signed': (given) => send(`SAMLResponse=${deflated(response(given))}`),
        'signed by another key': (given) => query(response(given), FOREIGN.key),
        'of another service provider': ({ id }) => query(response({ id, issuer: foreign.entityId }), FOREIGN.key),
        'of an unknown one': ({ id }) => query(response({ id, issuer: 'https://unknown.example' })),
        'for another destination': (given) => query(response(given, { destination: `${world.url}/saml/v2/SSO` })),
        'too old': (given) => query(response(given, { at: Date.now() - 3_600_000 })),
        'of another version': (given) => query(response(given, { version: '1.1' })),
        'without a status': (given) => query(response(given, { inside: '' })),
        'with two': (given) => query(response(given, { inside: `${success}${success}` })),
        'a status that says no': (given) => query(response(given, { inside: status('Requester') })),
        'success for a part': (given) =>
          query(
            response(given, { inside: status('Success', `<samlp:StatusCode Value="${SAML}:status:PartialLogout"/>`) }),
          ),
        'another message': (given) => query(response(given, { name: 'AuthnRequest' })),
        'a signature by SHA-1': (given) =>
          send(
            signedQuery(response(given), {
              name: 'SAMLResponse',
              algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
            }),
          ),
      }
      for (const [what, urlFor] of Object.entries(hostile)) {
        const [first, other] = [await addProvider(world), await addProvider(world)]
        const { browser, profiles } = await signedInTo(first, other)
        const one = await browser.open(await first.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {}))
        isAt(one, other)
        const { ID: id } = (await asked(other, one)) as Profile & { readonly ID: string }
        const done = await browser.open(urlFor({ issuer: other.entityId, id }))
        isAt(done, first)
        assert.deepEqual(await read(first, done), PARTIAL, what)
        // The right answer comes too late, and answers nothing.
        assert.equal((await browser.open(query(response({ issuer: other.entityId, id })))).status, 400)
      }
      for (const id of ['_0', `_${'0'.repeat(40)}.${'0'.repeat(20)}`, '']) {
        const answer = await fetch(query(response({ issuer: foreign.entityId, id })), { redirect: 'manual' })
        assert.equal(answer.status, 400)
      }
    })

    test('an answer counts once', async () => {
      const [first, second, third] = [await addProvider(world), await addProvider(world), await addProvider(world)]
      const { browser, profiles } = await signedInTo(first, second, third)
      const one = await browser.open(await first.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {}))
      isAt(one, third)
      const [no, yes] = [await answerOf(third, one, false), await answerOf(third, one)]
      for (const answer of [no, yes]) {
        const said = await fetch(answer, { redirect: 'manual' })
        assert.equal(said.headers.get('location'), new URL(pathOf(one)).pathname)
      }
      const two = await browser.open(pathOf(one))
      isAt(two, second)
      const done = await browser.open(await answerOf(second, two))
      isAt(done, first)
      assert.deepEqual(await read(first, done), PARTIAL)
    })

    test('a stranger who knows the address ends the way, and learns nothing of the next service provider', async () => {
      const [first, second, third] = [await addProvider(world), await addProvider(world), await addProvider(world)]
      const { browser, profiles } = await signedInTo(first, second, third)
      const one = await browser.open(await first.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {}))
      isAt(one, third)
      const stolen = await world.browser().open(pathOf(one))
      isAt(stolen, first)
      assert.deepEqual(await read(first, stolen), PARTIAL)
      assert.equal((await browser.open(pathOf(one))).status, 400)
      assert.equal((await browser.open(`${world.url}/saml/v2/logout/..%2f`)).status, 400)
    })

    test('a browser that continues several times at once asks each service provider once', async () => {
      const providers: Provider[] = []
      for (let count = 0; count < 5; count++) providers.push(await addProvider(world))
      const { browser } = await signedInTo(...providers)
      const first = await browser.send(await browser.open(`${world.url}/ui/logout`), {}, '/ui/logout')
      const cookie = `signet_session=${browser.cookies.get('signet_session')}`
      const went = await Promise.all(
        Array.from({ length: 8 }, () => fetch(pathOf(first), { redirect: 'manual', headers: { cookie } })),
      )
      const asked = went.flatMap(({ headers }) => headers.get('refresh')?.replace(/^0; url=/, '') ?? [])
      assert.equal(new Set([first.url, ...asked].map((url) => new URL(url).origin)).size, 5)
      assert.equal(asked.length, 4)
      const others = went.filter(({ headers }) => !headers.has('refresh'))
      // One of them finished; the rest came too late.
      assert.deepEqual(others.map(({ status }) => status).sort(), [303, 400, 400, 400])
    })

    test('an OpenID client ends the session, and the browser goes by the service providers to its address', async () => {
      const provider = await addProvider(world)
      const uri = 'https://app.example/bye'
      const application = await world.addApplication({ postLogoutRedirectUris: [uri] })
      const { browser } = await signedInTo(provider)
      const { id_token: token } = await signInFor(world, application, {}, { browser })
      const search = new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: uri, state: 'x' })
      const elsewhere = await world.browser().open(`${world.url}/oidc/v1/end_session?${search}`)
      assert.equal(elsewhere.url, `${uri}?state=x`)
      const again = await signedInTo(provider)
      search.set('id_token_hint', (await signInFor(world, application, {}, { browser: again.browser })).id_token)
      const told = await again.browser.open(`${world.url}/oidc/v1/end_session?${search}`)
      isAt(told, provider)
      assert.equal((await again.browser.open(await answerOf(provider, told))).url, `${uri}?state=x`)
      assert.equal(again.browser.cookies.has('signet_session'), false)
    })

    test('no more than 20 service providers are told, and the browser never goes in circles', async () => {
      const providers: Provider[] = []
      for (let count = 0; count < 22; count++) providers.push(await addProvider(world))
      const { browser, profiles } = await signedInTo(...providers)
      const [first] = providers
      const told = new Set<string>()
      let stop = await browser.open((await first?.sp.getLogoutUrlAsync(profiles[0] ?? assert.fail(), '', {})) ?? '')
      while (of(stop).searchParams.has('SAMLRequest')) {
        const provider = providers.find(({ entityId }) => stop.url.startsWith(`${entityId}/`)) ?? assert.fail(stop.url)
        assert.equal(told.has(provider.entityId), false)
        told.add(provider.entityId)
        stop = await browser.open(await answerOf(provider, stop))
      }
      assert.equal(told.size, 20)
      assert.deepEqual(await read(first ?? assert.fail(), stop), PARTIAL)
    })

    test('the sign-out page tells them, and says so when some could not be told', async () => {
      const [one, deaf] = [
        await addProvider(world),
        await addProvider(world, {
          parts: { services: DEAF },
          options: { callbackUrl: 'https://deaf.example/acs' },
        }),
      ]
      const browser = world.browser()
      await signOn(world, one, browser, 'ada')
      await browser.open(await deaf.signOnUrl())
      const then = await signLogoutTarget(world.app, 'https://app.example/bye')
      const asks = await browser.open(`${world.url}/ui/logout?${new URLSearchParams({ then })}`)
      const told = await browser.send(asks, {}, '/ui/logout')
      isAt(told, one)
      assert.equal((await browser.open(await answerOf(one, told))).url, 'https://app.example/bye')

      const again = world.browser()
      await again.send(await again.open(await deaf.signOnUrl()), { userName: 'ada', password: PASSWORD }, '/ui/login')
      const left = await again.send(await again.open(`${world.url}/ui/logout`), {}, '/ui/logout')
      assert.match(left.url, /\/ui\/logout\/done\?left=some$/)
      assert.match(left.text, /may still be signed in/)
    })
  })
}
