/** No hosted page lets a user in, or changes anything of them, while their organization is closed. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bringAbout, type State } from '../../../test/matrices/states.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { type HostedPages, openHostedPages, TOTP_SECRET } from '../../../test/support/hosted-pages.ts'
import { answerWithKey, answerWithNewKey, holding, keeping } from '../../../test/support/page-client.ts'
import { openScriptedProvider, SAM, type ScriptedProvider } from '../../../test/support/scripted-provider.ts'
import { PASSWORD } from '../../../test/support/session-world.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import {
  finishRegistration,
  registerAccount,
  sendInvitationAgain,
  sendResetCodeTo,
} from '../../features/account/index.ts'
import { findPerson } from '../../features/sign-in/index.ts'

const CLOSED = ['organization deactivated', 'organization removed', 'organization removed and cleared'] as const
const STATES: readonly State[] = ['active', ...CLOSED]
const api = UserService.method
const returnCode = { case: 'returnCode', value: {} } as const
const chosen = { password: 'sturdy umbrella lagoon' }
const json = { accept: 'application/json' }
const BROWSER = 'b'.repeat(43)

/** What somebody holds: its user, and whether using it works. */
interface Held {
  readonly userId: string
  use(): Promise<boolean>
}

suite('a closed organization', () => {
  let world: HostedPages
  let provider: ScriptedProvider
  let acme: string
  before(async () => {
    world = await openHostedPages()
    provider = await openScriptedProvider()
    provider.now = () => Math.floor(world.clock.now / 1000)
    acme = await world.addProvider({ name: 'Acme', issuer: provider.issuer })
    await world.setLogin(world.instanceId, { allowsRegistration: true })
  })
  after(async () => {
    await provider.close()
    await world.close()
  })

  const passes = async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
    const { status, header } = await world.ask(path, { form, headers })
    return status < 400 && !/^\/ui\/login(\?|$)/.test(header('location') ?? '')
  }
  const mailsAfter = async (userId: string, act: () => Promise<unknown>) => {
    const count = async () => (await world.outbox()).filter(({ data }) => data.userId === userId).length
    const before = await count()
    await act()
    return (await count()) > before
  }
  const signedIn = async (organizationId: string, totpSecret?: string) => {
    const user = await world.addUser({ organizationId, ...(totpSecret !== undefined && { totpSecret }) })
    return { ...user, headers: holding((await world.signIn(user)).token) }
  }
  let count = 0
  /** A browser that came back from a provider. */
  const arrive = async (sub: string, cookie: string, query = '') => {
    provider.account = { ...SAM, sub }
    const headers = { cookie: `signet-browser=${BROWSER}; ${cookie}` }
    const started = await world.ask(`/ui/login/provider?idp=${acme}${query}`, { headers })
    const back = await world.ask(`/idps/callback?${provider.answer(started.header('location') ?? '')}`, { headers })
    const { pathname, search } = new URL(back.header('location') ?? '')
    return { path: `${pathname}${search}`, headers }
  }

  const rows: Readonly<Record<string, (organizationId: string) => Promise<Held>>> = {
    'a password on the sign-in page': async (organizationId) => {
      const { userId, loginName } = await world.addUser({ organizationId })
      return { userId, use: () => passes('/ui/login', { userName: loginName, password: PASSWORD }) }
    },
    'an address on the sign-in page': async (organizationId) => {
      const { userId, loginName } = await world.addUser({ organizationId })
      const form = { userName: `${loginName}@example.com`, password: PASSWORD }
      return { userId, use: () => passes('/ui/login', form) }
    },
    'the session of a browser': async (organizationId) => {
      const { userId, headers } = await signedIn(organizationId)
      return { userId, use: async () => (await world.ask('/ui/account', { headers })).status === 200 }
    },
    'a second factor': async (organizationId) => {
      const { userId, headers } = await signedIn(organizationId, TOTP_SECRET)
      const code = totpCode(TOTP_SECRET, totpStep(world.clock.now))
      const use = async () => {
        const reply = await world.ask('/ui/login/second-factor', { form: { with: 'totp', code }, headers })
        return reply.header('location') === '/ui/account'
      }
      return { userId, use }
    },
    'a passkey on the sign-in page': async (organizationId) => {
      const user = await world.addUser({ organizationId })
      const authenticator = await world.addKey(user, 'passkey')
      const challenge = await world.ask('/ui/login/passkey', { form: {} })
      const form = answerWithKey(authenticator, challenge)
      return { ...user, use: () => passes('/ui/login/passkey', form, keeping(challenge)) }
    },
    'a request for a password reset by name': async (organizationId) => {
      const { userId, loginName } = await world.addUser({ organizationId })
      return { userId, use: () => mailsAfter(userId, () => sendResetCodeTo(world.app, loginName, undefined)) }
    },
    'a request for a password reset by address': async (organizationId) => {
      const { userId, loginName } = await world.addUser({ organizationId })
      const act = () => sendResetCodeTo(world.app, `${loginName}@example.com`, organizationId)
      return { userId, use: () => mailsAfter(userId, act) }
    },
    'the code of a password reset': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId })
      const { verificationCode: code = '' } = await world.call(
        api.passwordReset,
        { userId, medium: returnCode },
        world.owner,
      )
      return { userId, use: () => passes('/set-password', { userId, code, ...chosen }) }
    },
    'the code of a password reset, for a passkey': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId })
      const { verificationCode: code = '' } = await world.call(
        api.passwordReset,
        { userId, medium: returnCode },
        world.owner,
      )
      const asked = await world.ask('/set-password', { form: { userId, code }, headers: json })
      const form = { userId, code, ...answerWithNewKey(newAuthenticator(), asked) }
      return { userId, use: () => passes('/set-password', form) }
    },
    'an invitation': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId, password: undefined })
      const { inviteCode: code = '' } = await world.call(
        api.createInviteCode,
        { userId, verification: returnCode },
        world.owner,
      )
      return { userId, use: () => passes('/accept-invitation', { userId, code, ...chosen }) }
    },
    'an invitation, for a passkey': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId, password: undefined })
      const { inviteCode: code = '' } = await world.call(
        api.createInviteCode,
        { userId, verification: returnCode },
        world.owner,
      )
      const asked = await world.ask('/accept-invitation', { form: { userId, code }, headers: json })
      const form = { userId, code, ...answerWithNewKey(newAuthenticator(), asked) }
      return { userId, use: () => passes('/accept-invitation', form) }
    },
    'a request for another invitation': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId, password: undefined })
      await world.call(api.createInviteCode, { userId, verification: { case: 'sendCode', value: {} } }, world.owner)
      return { userId, use: () => mailsAfter(userId, () => sendInvitationAgain(world.app, userId)) }
    },
    'the code of an address': async (organizationId) => {
      const { userId, emailCode: code } = await world.addUser({ organizationId, isVerified: false })
      return { userId, use: () => passes('/verify-email', { userId, code }) }
    },
    'a link for a passkey': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId })
      const { code } = await world.call(api.createPasskeyRegistrationLink, { userId, medium: returnCode }, world.owner)
      const form = { userId, codeId: code?.id ?? '', code: code?.code ?? '' }
      const use = async () => (await world.ask('/ui/passkeys/register', { form, headers: json })).status === 200
      return { userId, use }
    },
    'a link for a passkey that was begun': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId })
      const { code } = await world.call(api.createPasskeyRegistrationLink, { userId, medium: returnCode }, world.owner)
      const link = { userId, codeId: code?.id ?? '', code: code?.code ?? '' }
      const asked = await world.ask('/ui/passkeys/register', { form: link, headers: json })
      const form = { ...link, ...answerWithNewKey(newAuthenticator(), asked), name: 'Phone' }
      return { userId, use: () => passes('/ui/passkeys/register', form) }
    },
    'an account at a provider': async (organizationId) => {
      const user = await world.addUser({ organizationId })
      const sub = `sub-${++count}`
      await world.linkAccount(user, acme, { id: sub, name: sub })
      const { path, headers } = await arrive(sub, '')
      return { ...user, use: async () => (await world.ask(path, { headers })).status === 303 }
    },
    'an account at a provider that is to be linked': async (organizationId) => {
      const { userId, headers: own } = await signedIn(organizationId)
      const { path, headers } = await arrive(`sub-${++count}`, own.cookie, '&link=yes')
      const form = { ...Object.fromEntries(new URLSearchParams(path.split('?')[1])), do: 'link' }
      const use = async () => {
        const { header } = await world.ask('/ui/login/external', { form, headers })
        return header('location') === '/ui/account?done=linked'
      }
      return { userId, use }
    },
    'a registration that waits for its code': async (organizationId) => {
      const account = { firstName: 'A', lastName: 'B', email: `new-${++count}@example.com`, password: PASSWORD }
      const client = { host: 'localhost', description: '' }
      const made = await registerAccount(world.app, organizationId, account, { client, language: 'en' })
      const ticket = made.outcome === 'started' ? made.ticket : assert.fail(made.outcome)
      const [mail] = await world.mailsTo(ticket, 'verify_email', 1)
      const use = async () => {
        const finished = await finishRegistration(world.app, ticket, mail?.code ?? '')
        return finished.outcome === 'done' && (await findPerson(world.app, finished.token)) !== undefined
      }
      return { userId: ticket.userId, use }
    },
    'a new registration': async (organizationId) => {
      const { userId } = await world.addUser({ organizationId })
      const account = { firstName: 'A', lastName: 'B', email: `late-${++count}@example.com`, password: PASSWORD }
      const client = { host: 'localhost', description: '' }
      const use = async () => {
        const made = await registerAccount(world.app, organizationId, account, { client, language: 'en' })
        return made.outcome === 'started'
      }
      return { userId, use }
    },
  }

  for (const [what, hold] of Object.entries(rows)) {
    test(`${what}: passes only while the organization is active`, async () => {
      const found: Record<string, boolean> = {}
      for (const state of STATES) {
        const organizationId = await world.addOrganization()
        const { userId, use } = await hold(organizationId)
        await bringAbout(world, state, { userId, organizationId })
        found[state] = await use()
      }
      assert.deepEqual(found, Object.fromEntries(STATES.map((state) => [state, state === 'active'])))
    })
  }
})
