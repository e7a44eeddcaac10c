/** What people change about themselves: names, address, number, picture; their data, and the end of the account. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, type NewUser, openHostedPages } from '../../../../test/support/hosted-pages.ts'
import { holding, leadsTo, says, saysNot } from '../../../../test/support/page-client.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { listInboxMails } from '../../../features/mail/index.ts'
import { users } from '../../../features/users/index.ts'
import { textsIn } from '../../language.ts'

const [en, fr] = [textsIn('en'), textsIn('fr')]

const DAY = 86_400_000
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

suite('personal information', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const newcomer = async (made?: NewUser) => {
    const user = await world.addUser(made)
    const headers = holding((await world.signIn(user)).token)
    const send = (path: string, form: Record<string, string>) => world.ask(path, { form, headers })
    const read = async () => (await world.call(UserService.method.getUserByID, user, world.owner)).user
    const human = async () => {
      const type = (await read())?.type
      return type?.case === 'human' ? type.value : assert.fail('not a human')
    }
    const mails = async () => {
      await world.runJobs()
      const { mails: all } = await listInboxMails(world.app, { limit: 100 })
      return all.filter(({ text }) => text.includes(user.loginName) || text.includes('Ada'))
    }
    return { ...user, headers, send, human, read, mails }
  }
  const codeIn = (text: string | undefined) => /Your code: (\S+)/.exec(text ?? '')?.[1] ?? ''

  test('names and language are changed, and mistakes are named', async () => {
    const ada = await newcomer()
    says(await world.ask('/ui/account/profile', { headers: ada.headers }), en.profile.title)
    const given = { firstName: 'Augusta', lastName: 'King', nickName: 'Ada', displayName: '', preferredLanguage: 'fr' }
    leadsTo(await ada.send('/ui/account/profile', given), '/ui/account?done=saved')
    const { profile } = await ada.human()
    assert.deepEqual(
      [profile?.givenName, profile?.displayName, profile?.nickName, profile?.preferredLanguage],
      ['Augusta', 'Augusta King', 'Ada', 'fr'],
    )
    const wrong = await ada.send('/ui/account/profile', { ...given, firstName: '', displayName: '<b>"' })
    assert.equal(wrong.status, 422)
    // The page is in the language that was just chosen.
    says(wrong, fr.profile.wrong)
    assert.match(wrong.text, /value="&lt;b>&quot;"/)
  })

  test('an address counts after its code, and the old one is told', async () => {
    const ada = await newcomer()
    const old = (await ada.human()).email?.email ?? ''
    const next = `new-${old}`
    says(
      await ada.send('/ui/account/contact', { kind: 'email', do: 'send', target: 'no address' }),
      en.contact.emailWrong,
    )
    leadsTo(
      await ada.send('/ui/account/contact', { kind: 'email', do: 'send', target: next }),
      '/ui/account/contact?kind=email',
    )
    assert.equal((await ada.human()).email?.email, old)
    const confirm = { kind: 'email', do: 'confirm', target: next }
    says(await ada.send('/ui/account/contact', { ...confirm, code: 'WRONG1' }), en.contact.codeWrong)
    const sent = (await ada.mails()).find(({ to }) => to === next)
    // The code is for that address alone.
    const other = await ada.send('/ui/account/contact', { ...confirm, target: `x${next}`, code: codeIn(sent?.text) })
    assert.equal(other.status, 422)
    leadsTo(await ada.send('/ui/account/contact', { ...confirm, code: codeIn(sent?.text) }), '/ui/account?done=saved')
    const { email } = await ada.human()
    assert.deepEqual([email?.email, email?.isVerified], [next, true])
    const notice = (await ada.mails()).find(({ to, type }) => to === old && type === 'email_changed')
    assert.equal(notice?.subject, 'Your email address was changed')

    leadsTo(await ada.send('/ui/account/profile', { do: 'name' }), '/ui/account?done=saved')
    assert.equal((await ada.read())?.username, next)
  })

  test('a phone number counts after its code, and can be removed', async () => {
    const ada = await newcomer()
    const number = '+41791234567'
    leadsTo(
      await ada.send('/ui/account/contact', { kind: 'phone', do: 'send', target: '+41 79 123 45 67' }),
      '/ui/account/contact?kind=phone',
    )
    await world.runJobs()
    const { mails } = await listInboxMails(world.app, { limit: 1 })
    const code = /\b([A-Z0-9]{6})\b/.exec(mails[0]?.text ?? '')?.[1] ?? ''
    const confirm = { kind: 'phone', do: 'confirm', target: number, code }
    leadsTo(await ada.send('/ui/account/contact', confirm), '/ui/account?done=saved')
    assert.equal((await ada.human()).phone?.phone, number)
    leadsTo(await ada.send('/ui/account/contact', { kind: 'phone', do: 'remove' }), '/ui/account?done=removed')
    assert.equal((await ada.human()).phone?.phone, '')
  })

  test('a picture is checked, shown, and removed with its user', async () => {
    const ada = await newcomer()
    const upload = async (file: Buffer, headers: Record<string, string>) => {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(file)]), 'me.png')
      return fetch(`${world.url}/ui/account/picture`, { method: 'POST', body, headers, redirect: 'manual' })
    }
    assert.equal((await upload(Buffer.from('<svg/>'), ada.headers)).status, 422)
    assert.equal((await upload(Buffer.alloc(300 * 1024), ada.headers)).status, 413)
    assert.equal((await upload(PNG, { ...ada.headers, 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await upload(PNG, ada.headers)).status, 303)
    const url = (await ada.human()).profile?.avatarUrl ?? ''
    const { pathname } = new URL(url)
    assert.match(pathname, /^\/assets\/v1\/\d+\/[0-9a-f]{32}\.png$/)
    assert.equal((await world.ask(pathname)).status, 200)
    assert.ok((await world.ask('/ui/account', { headers: ada.headers })).text.includes(`src="${pathname}"`))
    await world.call(UserService.method.deleteUser, ada, world.owner)
    assert.equal((await world.ask(pathname)).status, 404)
  })

  test('the data of a person are downloaded without secrets', async () => {
    const ada = await newcomer()
    const { userId } = ada
    await world.call(
      UserService.method.setUserMetadata,
      { userId, metadata: [{ key: 'color', value: new Uint8Array([1]) }] },
      world.owner,
    )
    const reply = await ada.send('/ui/account/data', {})
    assert.match(reply.header('content-disposition') ?? '', /^attachment/)
    const { data, events } = JSON.parse(reply.text)
    assert.equal(data.user[0].email.address, (await ada.human()).email?.email)
    assert.equal(data.session.length, 1)
    assert.ok(events.some(({ type }: { type: string }) => type === 'user.human_added.v1'))
    assert.ok(JSON.stringify(data).includes('color'))
    assert.doesNotMatch(reply.text, /"secret"|argon2|tokenHash/)
  })

  test('an account is deleted seven days later, where that is allowed, unless it is cancelled', async () => {
    const ada = await newcomer()
    const isThere = async () => (await world.store.get(users, ada.userId)) !== undefined
    assert.equal((await ada.send('/ui/account/delete', { do: 'request' })).status, 400)
    saysNot(await world.ask('/ui/account', { headers: ada.headers }), en.deletion.open)
    await world.call(SettingsService.method.setSecuritySettings, { allowSelfDeletion: true }, world.owner)
    says(await world.ask('/ui/account/delete', { headers: ada.headers }), en.deletion.button)
    leadsTo(await ada.send('/ui/account/delete', { do: 'request' }), '/ui/account?done=deletionRequested')
    says(await world.ask('/ui/account', { headers: ada.headers }), en.deletion.pending)
    leadsTo(await ada.send('/ui/account/delete', { do: 'cancel' }), '/ui/account?done=deletionCancelled')
    world.wait(1000)
    leadsTo(await ada.send('/ui/account/delete', { do: 'request' }), '/ui/account?done=deletionRequested')
    // Two deletions are due, of which the first was cancelled; `runJobs` would wait for both.
    const runner = world.run()
    const mails = async () => (await listInboxMails(world.app, { limit: 100 })).mails
    const isTold = async () => (await mails()).some(({ type }) => type === 'deletion_requested')
    while (!(await isTold())) await sleep(5)
    world.wait(7 * DAY - 1000)
    while ((await world.store.jobs.count('account-deletion')).waiting > 1) await sleep(5)
    assert.equal(await isThere(), true)
    world.wait(1000)
    while ((await world.store.jobs.count('account-deletion')).waiting > 0) await sleep(5)
    await runner.stop()
    assert.equal(await isThere(), false)
  })

  test('RemoveMyUser asks for the same, by the same rules', async () => {
    const { removeMyUser } = AuthService.method
    const allow = (allowSelfDeletion: boolean) =>
      world.call(SettingsService.method.setSecuritySettings, { allowSelfDeletion }, world.owner)
    const ada = await newcomer()
    const as = { bearer: (await world.signIn(ada)).token }
    await allow(false)
    await isRefused(world.call(removeMyUser, {}, as), 'account.deletion_not_allowed')
    await allow(true)
    const dueAt = async () => {
      const state = (await world.store.get(users, ada.userId))?.state
      return state !== undefined && 'deletion' in state ? state.deletion?.dueAt : undefined
    }
    assert.equal(await dueAt(), undefined)
    const asked = world.clock.now
    const { details } = await world.call(removeMyUser, {}, as)
    assert.equal(details?.sequence, (await ada.read())?.details?.sequence)
    assert.equal(await dueAt(), asked + 7 * DAY)
    says(await world.ask('/ui/account', { headers: ada.headers }), en.deletion.pending)
    world.wait(1000)
    await world.call(removeMyUser, {}, as)
    assert.equal(await dueAt(), asked + 7 * DAY)
    await isRefused(world.call(removeMyUser, {}, world.owner), 'user.not_human')
    world.wait(20 * 60_000)
    await isRefused(world.call(removeMyUser, {}, as), 'access.sign_in_again')
  })
})
