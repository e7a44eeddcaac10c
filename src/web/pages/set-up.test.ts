/** The links of the operator: the first administrator sets up, and an administrator who lost everything gets in again. */
import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { type HostedPages, openHostedPages, TOTP_SECRET } from '../../../test/support/hosted-pages.ts'
import { answerWithNewKey, plainText, says, saysNot, tokenIn } from '../../../test/support/page-client.ts'
import { PASSWORD } from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { firstStart, recoverAdministrator, SETUP_LINK_FILE } from '../../features/onboarding/index.ts'
import { findPerson } from '../../features/sign-in/index.ts'
import { newId } from '../../kernel/id.ts'
import { textsIn } from '../language.ts'

const en = textsIn('en')

const DAY = 86_400_000
const chosen = { password: 'sturdy umbrella lagoon' }
const json = { accept: 'application/json' }
const v2 = UserService.method

async function open(t: TestContext): Promise<HostedPages> {
  const world = await openHostedPages()
  t.after(() => world.close())
  return world
}

function linkOf(url: string) {
  const { searchParams, search } = new URL(url.trim())
  return { path: `/setup${search}`, userId: searchParams.get('user') ?? '', code: searchParams.get('code') ?? '' }
}

async function firstLink({ dataDir }: HostedPages) {
  const { path, ...given } = linkOf(await readFile(join(dataDir, SETUP_LINK_FILE), 'utf8'))
  return { path, given }
}

async function hasFile({ dataDir }: HostedPages): Promise<boolean> {
  return access(join(dataDir, SETUP_LINK_FILE)).then(
    () => true,
    () => false,
  )
}

async function emailOf(world: HostedPages, userId: string) {
  const { user } = await world.call(v2.getUserByID, { userId }, world.owner)
  const human = user?.type.case === 'human' ? user.type.value : assert.fail('not a human')
  return [user?.username, human.email?.email, human.email?.isVerified]
}

suite('setting up the first administrator', () => {
  test('asks for their address first, and mails a code to it', async (t) => {
    const world = await open(t)
    const { path, given } = await firstLink(world)
    const first = await world.ask(path)
    says(first, en.password.setupTitle, en.setupEmail.lead, en.setUpPasskey.create, en.setUpPasskey.instead)
    assert.doesNotMatch(first.text, /type="password"/)
    for (const email of ['', 'nowhere', 'a b@example.com']) {
      const wrong = await world.ask('/setup', { form: { ...given, instead: 'password', email } })
      assert.equal(wrong.status, 422)
      says(wrong, en.setupEmail.wrong)
      const skipped = await world.ask('/setup', { form: { ...given, email, ...chosen } })
      says(skipped, en.setupEmail.wrong)
      const key = await world.ask('/setup', { form: { ...given, email }, headers: json })
      assert.deepEqual([key.status, JSON.parse(key.text)], [422, { message: en.setupEmail.wrong }])
    }
    const email = 'ada@example.com'
    const second = await world.ask('/setup', { form: { ...given, instead: 'password', email } })
    assert.equal(second.status, 200)
    assert.equal(second.text.match(/name="email" value="ada@example.com"/g)?.length, 2)
    const own = await world.ask('/setup', { form: { ...given, email, password: email } })
    says(own, en.flaws.own_name)
    const done = await world.ask('/setup', { form: { ...given, email, ...chosen } })
    says(done, en.setupDone.name({ userName: 'admin' }))
    assert.deepEqual(await emailOf(world, given.userId), ['admin', email, false])
    const [mail] = await world.mailsTo(given, 'verify_email', 1)
    await world.ask('/verify-email', { form: { userId: given.userId, code: mail?.code ?? '' } })
    assert.deepEqual(await emailOf(world, given.userId), ['admin', email, true])
  })

  test('a link that was used, has expired or never was one does not show the form', async (t) => {
    const world = await open(t)
    const { path, given } = await firstLink(world)
    const isDead = async (asked: string) => {
      const dead = await world.ask(asked)
      assert.equal(dead.status, 400)
      says(dead, en.stale.setupText)
      assert.doesNotMatch(dead.text, /<form/)
      return plainText(dead)
    }
    const wrong = await isDead(`/setup?user=${given.userId}&code=WRONG7`)
    assert.equal(await isDead('/setup?user=unknown&code=WRONG7'), wrong)
    world.wait(7 * DAY)
    assert.equal(await isDead(path), wrong)
    world.wait(-7 * DAY)
    await world.ask('/setup', { form: { ...given, email: 'ada@example.com', ...chosen } })
    assert.equal(await isDead(path), wrong)
  })

  test('the file with the link is gone once the link is dead, at the latest with the next start', async (t) => {
    const world = await open(t)
    const { store, dataDir, app } = world
    const text = await readFile(join(dataDir, SETUP_LINK_FILE), 'utf8')
    const { given } = await firstLink(world)
    const start = () => firstStart({ store, newId, clock: app.clock, dataDir, externalUrl: app.externalUrl })
    await start()
    assert.equal(await hasFile(world), true)
    await world.ask('/setup', { form: { ...given, email: 'ada@example.com', ...chosen } })
    assert.equal(await hasFile(world), false)
    // As if the process had crashed before it could remove the file.
    await writeFile(join(dataDir, SETUP_LINK_FILE), text)
    await start()
    assert.equal(await hasFile(world), false)
  })
})

suite('recovering an administrator', () => {
  const recover = async ({ app }: HostedPages, userName?: string, resetsFactors = false) => {
    const { path, ...given } = linkOf((await recoverAdministrator(app, { userName, resetsFactors })).url)
    return { path, given }
  }
  /** An owner of the instance with a password, an authenticator app and a passkey. */
  const addOwner = async (world: HostedPages) => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET })
    const resource = { resource: { case: 'instance', value: true } } as const
    const role = { userId: user.userId, resource, roles: ['IAM_OWNER'] }
    await world.call(InternalPermissionService.method.createAdministrator, role, world.owner)
    return user
  }
  const methodsOf = async (world: HostedPages, userId: string) =>
    (await world.call(v2.listAuthenticationMethodTypes, { userId }, world.owner)).authMethodTypes.length

  test('gives the first administrator another link, says so in the log, and ends their sessions', async (t) => {
    const world = await open(t)
    const { given } = await firstLink(world)
    const email = 'ada@example.com'
    const signed = await world.ask('/setup', { form: { ...given, email, ...chosen } })
    const token = tokenIn(signed)
    assert.ok(await findPerson(world.app, token))
    const mark = await world.mark()
    const { path, given: again } = await recover(world)
    assert.deepEqual(await world.eventsSince(mark), ['setup_code.recovery_issued.v1'])
    const [event] = (
      await world.call(AdminService.method.listEvents, { eventTypes: ['setup_code.recovery_issued.v1'] }, world.owner)
    ).events
    assert.equal(event?.aggregate?.id, again.userId)
    assert.doesNotMatch(
      JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      /hash/,
    )
    const page = await world.ask(path)
    says(page, en.password.recoverTitle, en.password.setupLead)
    saysNot(page, en.password.setupTitle)
    assert.doesNotMatch(page.text, /name="email"/)
    says(await world.ask('/setup', { form: { ...again, password: 'x', repeated: 'y' } }), en.password.recoverTitle)
    const changed = { password: 'another umbrella lagoon' }
    const done = await world.ask('/setup', { form: { ...again, ...changed } })
    assert.equal((await findPerson(world.app, tokenIn(done)))?.userName, 'admin')
    assert.equal(await findPerson(world.app, token), undefined)
    assert.equal((await world.ask('/setup', { form: { ...again, ...changed } })).status, 400)
    assert.deepEqual(await emailOf(world, again.userId), ['admin', email, false])
  })

  test('lets an owner register a passkey; factors stay, unless they are to be reset', async (t) => {
    const world = await open(t)
    const { userId, loginName } = await addOwner(world)
    const register = async (resetsFactors: boolean) => {
      const { given } = await recover(world, loginName, resetsFactors)
      const asked = await world.ask('/setup', { form: given, headers: json })
      const form = { ...given, ...answerWithNewKey(newAuthenticator(), asked) }
      says(await world.ask('/setup', { form }), en.setUpPasskey.done({ userName: loginName }))
    }
    const keys = async () => (await world.call(v2.listPasskeys, { userId }, world.owner)).result.length
    await register(false)
    assert.deepEqual([await methodsOf(world, userId), await keys()], [3, 1])
    await register(false)
    assert.deepEqual([await methodsOf(world, userId), await keys()], [3, 2])
    await register(true)
    // The password, and the passkey that was registered with the link.
    assert.deepEqual([await methodsOf(world, userId), await keys()], [2, 1])
  })

  test('is for owners of the instance who exist, also for those who were locked', async (t) => {
    const world = await open(t)
    const { loginName } = await world.addUser()
    await isRefused(recover(world, loginName), 'instance.not_owner')
    await isRefused(recover(world, 'nobody'), 'user.not_found')
    const owner = await addOwner(world)
    await world.call(v2.lockUser, { userId: owner.userId }, world.owner)
    const { given } = await recover(world, owner.loginName, true)
    await world.ask('/setup', { form: { ...given, password: PASSWORD } })
    assert.ok((await world.signIn(owner)).token)
  })
})
