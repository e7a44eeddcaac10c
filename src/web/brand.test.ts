/** Logos, colors and fonts: uploaded, activated, and shown on pages and in mails. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { ThemeMode } from '../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, openHostedPages } from '../../test/support/hosted-pages.ts'
import { sendResetCode } from '../features/account/index.ts'
import { listInboxMails } from '../features/mail/index.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const GIF = Buffer.from('GIF89a, a logo', 'latin1')
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0"/></svg>')

suite('the look of pages', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const send = async (path: string, file: Buffer | undefined, headers: Record<string, string> = {}) => {
    const form = new FormData()
    if (file !== undefined) form.set('file', new Blob([new Uint8Array(file)]), 'logo')
    return fetch(`${world.url}/assets/v1/${path}`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${world.owner.bearer}`, ...headers },
    })
  }
  const logoIn = (text: string) => /<img src="([^"]+)"/.exec(text)?.[1]
  const sheetIn = (text: string) => /href="(\/assets\/brand\/[^"]+)"/.exec(text)?.[1] ?? ''

  test('a logo of the instance is shown after its activation, and its draft before that', async () => {
    const { call, owner, ask } = world
    assert.equal((await send('instance/policy/label/logo', SVG)).status, 200)
    assert.equal((await send('instance/policy/label/icon', PNG)).status, 200)
    assert.equal(logoIn((await ask('/ui/login')).text), undefined)
    const preview = (await call(AdminService.method.getPreviewLabelPolicy, {}, owner)).policy
    assert.match(preview?.logoUrl ?? '', /^http:\/\/localhost:8080\/assets\/v1\/\d+\/[0-9a-f]{32}\.svg$/)
    // Colors that are set later keep the files of the draft.
    const colors = { primaryColor: '#ffff00', backgroundColorDark: '#101010', themeMode: ThemeMode.AUTO }
    await call(AdminService.method.updateLabelPolicy, colors, owner)
    await call(AdminService.method.activateLabelPolicy, {}, owner)

    const { text } = await ask('/ui/login')
    const logo = logoIn(text)
    assert.equal(new URL(logo ?? '', 'http://localhost:8080').href, preview?.logoUrl)
    assert.match(text, /<link rel="icon" href="\/assets\/v1\/\d+\/[0-9a-f]{32}\.png"/)
    assert.match(text, /<p class="powered">Signet<\/p>/)
    const file = await ask(logo ?? '')
    assert.equal(file.text, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')
    assert.equal(file.header('content-type'), 'image/svg+xml')
    assert.equal(file.header('x-content-type-options'), 'nosniff')
    assert.match(file.header('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
    assert.match(file.header('cache-control') ?? '', /immutable/)
    assert.equal((await ask(logo?.replace(/\/[0-9a-f]{32}/, `/${'0'.repeat(32)}`) ?? '')).status, 404)

    const sheet = await ask(sheetIn(text))
    assert.equal(sheet.header('content-type'), 'text/css; charset=utf-8')
    assert.match(sheet.text, /--button:light-dark\(#ffff00,#3b6fd8\)/)
    assert.match(sheet.text, /--on-button:light-dark\(#000000,#ffffff\)/)
    assert.match(sheet.text, /--ground:light-dark\(#f4f6f9,#101010\)/)
    const { settings } = await call(SettingsService.method.getBrandingSettings, {}, owner)
    assert.equal(settings?.lightTheme?.logoUrl, preview?.logoUrl)
  })

  test('a file that is no longer used is removed', async () => {
    const { call, owner, ask } = world
    const old = logoIn((await ask('/ui/login')).text) ?? ''
    await send('instance/policy/label/logo', GIF)
    assert.equal((await ask(old)).status, 200)
    await call(AdminService.method.activateLabelPolicy, {}, owner)
    assert.match(logoIn((await ask('/ui/login')).text) ?? '', /\.gif$/)
    assert.equal((await ask(old)).status, 404)
  })

  test('an organization has its own look on its pages and in its mails', async () => {
    const { call, owner, ask, addOrganization, app } = world
    const organizationId = await addOrganization()
    const headers = { 'x-service-orgid': organizationId }
    assert.equal((await send('org/policy/label/logo', PNG, headers)).status, 404)
    const look = { primaryColor: '#112233', disableWatermark: true, themeMode: ThemeMode.DARK }
    await call(ManagementService.method.addCustomLabelPolicy, look, { ...owner, organizationId })
    assert.equal((await send('org/policy/label/logo', PNG, headers)).status, 200)
    await call(ManagementService.method.activateCustomLabelPolicy, {}, { ...owner, organizationId })
    const { text } = await ask(`/ui/login?orgId=${organizationId}`)
    assert.match(logoIn(text) ?? '', /\.png$/)
    assert.match(text, /content="dark"/)
    assert.doesNotMatch(text, /Signet<\/(title|p|span)>/)
    assert.match((await ask(sheetIn(text))).text, /color-scheme:dark;.*--button:light-dark\(#112233/)
    assert.match(logoIn((await ask('/ui/login')).text) ?? '', /\.gif$/)

    const user = await world.addUser({ organizationId })
    await sendResetCode(app, user.userId)
    await world.runJobs()
    const { mails } = await listInboxMails(app, { limit: 1 })
    const { html = '' } = mails[0] ?? {}
    assert.match(html, /background:#112233;color:#ffffff/)
    assert.match(html, /<img src="http:\/\/localhost:8080\/assets\/v1\/\d+\/[0-9a-f]{32}\.png" alt="Organization/)

    await call(ManagementService.method.resetLabelPolicyToDefault, {}, { ...owner, organizationId })
    assert.equal((await ask(logoIn(text) ?? '')).status, 404)
  })

  test('uploads need the permission, a file, a format of ours and a limited size', async () => {
    const path = 'instance/policy/label/logo'
    const idOf = async (reply: Response) => ((await reply.json()) as { details: { id: string }[] }).details[0]?.id
    assert.equal((await send(path, PNG, { authorization: '' })).status, 401)
    const { token } = await world.signIn(await world.addUser())
    assert.equal((await send(path, PNG, { authorization: `Bearer ${token}` })).status, 403)
    assert.equal(await idOf(await send(path, undefined)), 'asset.missing')
    assert.equal(await idOf(await send(path, Buffer.from('<html></html>'))), 'asset.format_unsupported')
    assert.equal(await idOf(await send('instance/policy/label/font', PNG)), 'asset.format_unsupported')
    assert.equal((await send(path, Buffer.alloc(600 * 1024))).status, 413)
    const form = { method: 'POST', body: 'a=b', headers: { authorization: `Bearer ${world.owner.bearer}` } }
    assert.equal((await fetch(`${world.url}/assets/v1/${path}`, form)).status, 415)
    assert.deepEqual(world.faults, [])
  })

  test('users upload and remove their own picture, which is authorized like a change of their profile', async () => {
    const person = await world.addUser()
    const { userId } = person
    const { token } = await world.signIn(person)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await send('users/me/avatar', PNG, { authorization: '' })).status, 401)
    assert.equal((await send('users/me/avatar', SVG, headers)).status, 400)
    assert.equal((await send('users/me/avatar', PNG, headers)).status, 200)
    const pictureOf = async () => {
      const { user } = await world.call(UserService.method.getUserByID, { userId }, world.owner)
      return user?.type.case === 'human' ? user.type.value.profile?.avatarUrl : assert.fail('not a human')
    }
    assert.match((await pictureOf()) ?? '', /\.png$/)
    const gone = await fetch(`${world.url}/assets/v1/users/me/avatar`, { method: 'DELETE', headers })
    assert.equal(gone.status, 200)
    assert.equal(await pictureOf(), '')
  })

  test('pictures are removed by methods, too: those of the instance, of an organization and of users', async () => {
    const { call, owner } = world
    const admin = AdminService.method
    const management = ManagementService.method
    const organizationId = await world.addOrganization()
    const inOrganization = { ...owner, organizationId }
    await call(management.addCustomLabelPolicy, {}, inOrganization)
    const slots = [
      [
        'logo',
        'logoUrl',
        () => call(admin.removeLabelPolicyLogo, {}, owner),
        () => call(management.removeCustomLabelPolicyLogo, {}, inOrganization),
      ],
      [
        'logo/dark',
        'logoUrlDark',
        () => call(admin.removeLabelPolicyLogoDark, {}, owner),
        () => call(management.removeCustomLabelPolicyLogoDark, {}, inOrganization),
      ],
      [
        'icon',
        'iconUrl',
        () => call(admin.removeLabelPolicyIcon, {}, owner),
        () => call(management.removeCustomLabelPolicyIcon, {}, inOrganization),
      ],
      [
        'icon/dark',
        'iconUrlDark',
        () => call(admin.removeLabelPolicyIconDark, {}, owner),
        () => call(management.removeCustomLabelPolicyIconDark, {}, inOrganization),
      ],
      [
        'font',
        'fontUrl',
        () => call(admin.removeLabelPolicyFont, {}, owner),
        () => call(management.removeCustomLabelPolicyFont, {}, inOrganization),
      ],
    ] as const
    const ofInstance = async () => (await call(admin.getPreviewLabelPolicy, {}, owner)).policy
    const ofOrganization = async () => (await call(management.getPreviewLabelPolicy, {}, inOrganization)).policy
    for (const [path] of slots) {
      const file = path === 'font' ? Buffer.from('wOF2, a font', 'latin1') : PNG
      assert.equal((await send(`instance/policy/label/${path}`, file)).status, 200)
      const headers = { 'x-service-orgid': organizationId }
      assert.equal((await send(`org/policy/label/${path}`, file, headers)).status, 200)
    }
    for (const [path, member, remove, removeCustom] of slots) {
      assert.notEqual((await ofInstance())?.[member], '', path)
      await remove()
      assert.equal((await ofInstance())?.[member], '', path)
      assert.notEqual((await ofOrganization())?.[member], '', path)
      await removeCustom()
      assert.equal((await ofOrganization())?.[member], '', path)
    }

    for (const isOwn of [true, false]) {
      const person = await world.addUser()
      const { userId } = person
      const { token } = await world.signIn(person)
      assert.equal((await send('users/me/avatar', PNG, { authorization: `Bearer ${token}` })).status, 200)
      const { details } = isOwn
        ? await call(AuthService.method.removeMyAvatar, {}, { bearer: token })
        : await call(management.removeHumanAvatar, { userId }, owner)
      const { user } = await call(UserService.method.getUserByID, { userId }, owner)
      assert.equal(user?.type.case === 'human' && user.type.value.profile?.avatarUrl, '')
      assert.equal(details?.sequence, user?.details?.sequence)
    }
  })

  test('a file of the draft can be withdrawn', async () => {
    const headers = { authorization: `Bearer ${world.owner.bearer}` }
    const gone = await fetch(`${world.url}/assets/v1/instance/policy/label/logo`, { method: 'DELETE', headers })
    assert.equal(gone.status, 200)
    const { policy } = await world.call(AdminService.method.getPreviewLabelPolicy, {}, world.owner)
    assert.equal(policy?.logoUrl, '')
  })
})
