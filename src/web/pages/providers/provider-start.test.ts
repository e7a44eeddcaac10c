/** The buttons of identity providers, and the way to a provider. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import {
  HOUR,
  type HostedPages,
  openHostedPages,
  TOTP_SECRET,
  UNAVAILABLE,
} from '../../../../test/support/hosted-pages.ts'
import { leadsTo, says } from '../../../../test/support/page-client.ts'
import { openScriptedProvider, type ScriptedProvider } from '../../../../test/support/scripted-provider.ts'
import type { Person } from '../../../../test/support/session-world.ts'
import { hashSecret } from '../../../crypto/tokens.ts'
import { intents } from '../../../features/sign-in-intents/index.ts'
import { textsIn } from '../../language.ts'

const [en, fr] = [textsIn('en'), textsIn('fr')]

const BROWSER = 'b'.repeat(43)
const NAME = 'Acme <b>'

let world: HostedPages
let provider: ScriptedProvider
let acme: string
before(async () => {
  world = await openHostedPages()
  provider = await openScriptedProvider()
  provider.now = () => Math.floor(world.clock.now / 1000)
  acme = await world.addProvider({ name: NAME, issuer: provider.issuer })
})
after(async () => {
  await provider.close()
  await world.close()
})

function cookies(token?: string, browser = BROWSER) {
  return {
    cookie: `signet-browser=${browser}${token === undefined ? '' : `; signet_session=${token}`}`,
  }
}

async function tokenOf(user: Person): Promise<string> {
  return (await world.signIn(user)).token
}

function staleToken(user: Person): Promise<string> {
  return world.before(HOUR, () => tokenOf(user))
}

async function halfToken(): Promise<string> {
  return tokenOf(await world.addUser({ totpSecret: TOTP_SECRET }))
}

/** The sign-in that an address at a provider belongs to. */
async function intentAt(location: string | undefined) {
  const state = new URL(location ?? '').searchParams.get('state') ?? ''
  const intent = (await world.store.get(intents, state.split('.', 1)[0] ?? ''))?.state
  return intent?.status === 'started' ? intent : assert.fail(intent?.status)
}

suite('the buttons of identity providers', () => {
  test('stand on the sign-in page, by their look, and carry on what travels along', async () => {
    const client = { clientId: 'signet-client', clientSecret: 'a secret', providerOptions: { isLinkingAllowed: true } }
    await world.call(AdminService.method.addGoogleProvider, client, world.owner)
    const orgId = await world.addOrganization()
    const page = await world.ask(`/ui/login?next=/ui/account/keys&organization=${orgId}&lang=fr`)
    const href = `/ui/login/provider?idp=${acme}&amp;next=%2Fui%2Faccount%2Fkeys&amp;lang=fr&amp;orgId=${orgId}`
    assert.ok(page.text.includes(`<a class="button provider plain" href="${href}"><svg class="mark neutral"`))
    says(page, fr.external.signInWith({ providerName: NAME }), fr.external.signInWith({ providerName: 'Google' }))
    assert.match(page.text, /<a class="button provider google"[^>]*><svg class="mark".*?<span>[^<]*Google/s)
    const closed = await world.addOrganization({ allowsExternal: false })
    assert.doesNotMatch((await world.ask(`/ui/login?orgId=${closed}`)).text, /provider/)
  })

  test('are not shown for a hidden provider, with which users sign in where it is named', async () => {
    const hidden = await world.addProvider({ name: 'Hidden', issuer: provider.issuer, isHidden: true })
    await world.setLogin(world.instanceId, { allowsRegistration: true })
    for (const path of ['/ui/login', '/ui/register']) {
      const page = await world.ask(path)
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(acme) && !page.text.includes(hidden), path)
    }
    await world.setLogin(world.instanceId, {})
    const named = await world.ask(`/ui/login?idp=${hidden}`)
    assert.ok(named.text.includes(hidden) && !named.text.includes(acme))
    const user = await world.addUser()
    await world.linkAccount(user, hidden, { id: 'hidden', name: 'hidden' })
    const again = await world.ask('/ui/login?again=yes&next=/ui/account', { headers: cookies(await staleToken(user)) })
    assert.ok(again.text.includes(hidden))
    const started = await world.ask(`/ui/login/provider?idp=${hidden}`, { headers: cookies() })
    await intentAt(started.header('location'))
  })

  test('are a few at a glance and the others behind a line, never more than the module hands out', async () => {
    const organizationId = await world.addOrganization()
    const inOrganization = { ...world.owner, organizationId }
    const client = { issuer: 'https://acme.example', clientId: 'signet-client', clientSecret: 'a secret' }
    const { addGenericOIDCProvider } = ManagementService.method
    const add = (_: unknown, index: number) =>
      world.call(addGenericOIDCProvider, { name: `Provider ${index}`, ...client }, inOrganization)
    await Promise.all(Array.from({ length: 101 }, add))
    const { text } = await world.ask(`/ui/login?orgId=${organizationId}`)
    const [glance = '', rest = ''] = text.split(`<details class="more"><summary>${en.external.more}</summary>`)
    assert.equal(glance.match(/class="button provider/g)?.length, 4)
    // A hundred of its own, and the two of the instance.
    assert.equal(rest.match(/class="button provider/g)?.length, 98)
  })

  test('stand where a user shows once more that it is them', async () => {
    const user = await world.addUser()
    await world.linkAccount(user, acme, { id: 'again', name: 'again' })
    const headers = cookies(await staleToken(user))
    const page = await world.ask('/ui/login?again=yes&next=/ui/account/keys', { headers })
    assert.ok(page.text.includes(`idp=${acme}&amp;next=%2Fui%2Faccount%2Fkeys"><svg class="mark neutral"`))
    says(page, en.external.goOnWith({ providerName: NAME }))
  })
})

suite('the way to a provider', () => {
  test('is bound to the browser by a cookie, whose hash is stored and does not go along', async () => {
    for (const [, ask] of world.clients) {
      const answer = await ask(`/ui/login/provider?idp=${acme}&next=/ui/account/keys&lang=de&orgId=o1`)
      assert.equal(answer.status, 303)
      assert.ok(answer.header('location')?.startsWith(`${provider.issuer}/authorize?`))
      const value = /^signet-browser=([\w-]{43}); .*HttpOnly; SameSite=Lax$/.exec(
        answer.header('set-cookie') ?? '',
      )?.[1]
      const { idpId, successUrl, failureUrl, secret } = await intentAt(answer.header('location'))
      assert.deepEqual([idpId, secret.browser], [acme, hashSecret(value ?? '')])
      const { origin, pathname, searchParams } = new URL(successUrl)
      assert.equal(`${origin}${pathname}`, 'http://localhost:8080/ui/login/external')
      assert.deepEqual(Object.fromEntries(searchParams), {
        idp: acme,
        next: '/ui/account/keys',
        lang: 'de',
        orgId: 'o1',
      })
      assert.equal(failureUrl, successUrl)
    }
  })

  test('keeps the cookie that the browser has, so that another window can continue', async () => {
    const answer = await world.ask(`/ui/login/provider?idp=${acme}`, { headers: cookies() })
    assert.match(answer.header('set-cookie') ?? '', new RegExp(`^signet-browser=${BROWSER};`))
  })

  test('begins at a button of ours only, with GET only', async () => {
    const headers = cookies(await tokenOf(await world.addUser()))
    const mark = await world.mark()
    for (const site of ['cross-site', 'same-site']) {
      const answer = await world.ask(`/ui/login/provider?idp=${acme}&next=/ui/account/keys&lang=de`, {
        headers: { 'sec-fetch-site': site },
      })
      leadsTo(answer, '/ui/login?next=%2Fui%2Faccount%2Fkeys&lang=de')
      assert.equal(answer.header('set-cookie'), undefined)
    }
    assert.equal((await world.ask(`/ui/login/provider?idp=${acme}`, { method: 'HEAD' })).status, 405)
    assert.equal((await world.ask('/ui/login/provider', { form: { idp: acme } })).status, 405)
    assert.deepEqual(await world.eventsSince(mark), [])
    // Nor can it follow by itself on signing in.
    const next = new URLSearchParams({ next: `/ui/login/provider?idp=${acme}` })
    leadsTo(await world.ask(`/ui/login?${next}`, { headers }), '/ui/account')
  })

  test('says when there is none, when it does not answer, and when there is too much to do', async () => {
    const none = await world.ask('/ui/login/provider?idp=gone&next=/ui/account/keys')
    assert.equal(none.status, 400)
    says(none, en.external.failed.title({ providerName: en.external.unknown }))
    assert.match(none.text, /href="\/ui\/login\?next=%2Fui%2Faccount%2Fkeys"/)
    const idp = await world.addProvider({ name: 'Down', issuer: `http://127.0.0.1:${await freePort()}` })
    const down = await world.ask(`/ui/login/provider?idp=${idp}`)
    assert.equal(down.status, 503)
    says(down, en.external.unavailable.title({ providerName: 'Down' }))
    const busy = await world.serveFailing(UNAVAILABLE, 'write')
    assert.equal((await busy.ask(`/ui/login/provider?idp=${acme}`)).status, 503)
    for (const answer of [none, down]) assert.equal(answer.header('set-cookie'), undefined)
  })

  test('for a link needs a user who has signed in lately', async () => {
    const user = await world.addUser()
    const [stale, half, fresh] = [await staleToken(user), await halfToken(), await tokenOf(user)]
    const mark = await world.mark()
    const ask = (token?: string) => world.ask(`/ui/login/provider?idp=${acme}&link=yes`, { headers: cookies(token) })
    assert.match((await ask()).header('location') ?? '', /^\/ui\/login\?next=/)
    leadsTo(await ask(stale), '/ui/login?again=yes&next=%2Fui%2Faccount')
    assert.match((await ask(half)).header('location') ?? '', /^\/ui\/login\/second-factor/)
    assert.deepEqual(await world.eventsSince(mark), [])
    const { successUrl } = await intentAt((await ask(fresh)).header('location'))
    assert.ok(successUrl.endsWith(`/ui/login/external?idp=${acme}&link=yes`))
  })
})
