/** Mail servers that take access tokens instead of passwords: a real token endpoint and a real mail server. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { INSTANCE, settled, withMails } from '../../../test/support/parts/mails.ts'
import { openReceiver, type Received } from '../../../test/support/receiver.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { type SmtpOptions, startSmtp } from '../../../test/support/smtp.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { rotateDataKey } from '../instances/index.ts'
import { findSmtpConfig } from './documents.ts'
import { mailModule } from './index.ts'
import { passwordOf } from './smtp-server.ts'

const boss = { bearer: 'boss' }
const api = AdminService.method
const patient = { timeout: 600_000 }
const SECRET = 'CANARY:secret+of/client'
const SCOPE = 'https://outlook.office365.com/.default'
const HOUR = 3_600_000

/** What a request for a token shows: the credentials, and where they were. */
function shown({ headers, body }: Received) {
  const form = Object.fromEntries(new URLSearchParams(body))
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  const [id = '', secret = ''] = Buffer.from(basic ?? '', 'base64')
    .toString()
    .split(':')
    .map(decodeURIComponent)
  if (basic !== undefined) return { where: 'header', id, secret, form }
  const { client_id = '', client_secret = '', ...rest } = form
  return { where: 'body', id: client_id, secret: client_secret, form: rest }
}

for (const engine of engines) {
  suite(`a mail server with access tokens on ${engine.name}`, () => {
    const open = async (t: TestContext, says: 'challenge' | '535' = 'challenge', options: SmtpOptions = {}) => {
      let valid = 1
      const accepts = (token: string) => token === `token-${valid}`
      const smtp = await startSmtp({ tokens: { user: 'robot@example.org', accepts, says }, ...options })
      afterwards(t, () => smtp.close())
      const endpoint = await openReceiver()
      afterwards(t, () => endpoint.close())
      const answer = (body: object, status = 200) => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const token = () => answer({ token_type: 'Bearer', access_token: `token-${valid}`, expires_in: 3600 })
      endpoint.answer = token
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const credentials = { clientId: 'mailer:app', clientSecret: SECRET }
      const oauth2Type = { case: 'clientCredentials', value: credentials } as const
      const xoauth2 = { tokenEndpoint: endpoint.url, scopes: [SCOPE], oauth2Type }
      const given = {
        senderAddress: 'robot@example.org',
        senderName: 'Robot',
        host: `127.0.0.1:${smtp.port}`,
        user: 'robot@example.org',
        auth: { case: 'xoauth2', value: xoauth2 } as const,
      }
      const secretNow = async () => {
        const config = await findSmtpConfig(world.app)
        return config === undefined ? undefined : passwordOf(world.app, config)
      }
      const revoke = () => {
        valid++
      }
      return { ...world, smtp, endpoint, answer, token, xoauth2, given, secretNow, revoke }
    }

    test('mails are sent with a token, which is fetched once and again when it has ended', patient, async (t) => {
      const { call, ask, run, store, clock, smtp, endpoint, given, revoke } = await open(t)
      const runner = run()
      afterwards(t, () => runner.stop())
      await call(api.addEmailProviderSMTP, given, boss)
      for (let count = 1; count <= 3; count++) {
        await ask()
        await settled(store, 'mail')
      }
      assert.deepEqual([smtp.mails.length, smtp.mails[2]?.user], [3, 'robot@example.org'])
      assert.equal(endpoint.received.length, 1)
      const form = { grant_type: 'client_credentials', scope: SCOPE }
      const first = endpoint.received[0] ?? assert.fail('no request')
      assert.deepEqual(shown(first), { where: 'header', id: 'mailer:app', secret: SECRET, form })
      clock.now = instant(clock.now + HOUR)
      revoke()
      await ask()
      await settled(store, 'mail')
      assert.deepEqual([smtp.mails.length, endpoint.received.length], [4, 2])
    })

    for (const says of ['challenge', '535'] as const) {
      test(`a token that the mail server refuses by ${says} is not used again`, patient, async (t) => {
        const { call, smtp, endpoint, given, revoke } = await open(t, says)
        const { id } = await call(api.addEmailProviderSMTP, given, boss)
        const send = () => call(api.testEmailProviderSMTPById, { id, receiverAddress: 'ada@example.com' }, boss)
        await send()
        revoke()
        // Microsoft and Google refuse by a challenge: then a new token is tried in the same conversation.
        if (says === '535') await isRefused(send(), 'mail.test_failed')
        await send()
        assert.deepEqual([smtp.mails.length, endpoint.received.length], [2, 2])
      })
    }

    test('an authorization server that reads no header gets the credentials in the body', async (t) => {
      const { call, smtp, endpoint, answer, token, given } = await open(t)
      endpoint.answer = (request) =>
        request.headers.authorization === undefined ? token() : answer({ error: 'invalid_request' }, 400)
      const { id } = await call(api.addEmailProviderSMTP, given, boss)
      await call(api.testEmailProviderSMTPById, { id, receiverAddress: 'ada@example.com' }, boss)
      assert.deepEqual(
        endpoint.received.map((one) => [shown(one).where, shown(one).secret]),
        [
          ['header', SECRET],
          ['body', SECRET],
        ],
      )
      assert.equal(smtp.mails.length, 1)
    })

    test('what is wrong is said, and no secret with it', async (t) => {
      const { call, endpoint, answer, given } = await open(t)
      const { id } = await call(api.addEmailProviderSMTP, given, boss)
      const failure = async (): Promise<string> => {
        const tried = call(api.testEmailProviderSMTPById, { id, receiverAddress: 'ada@example.com' }, boss)
        const { message } = await tried.then(
          () => assert.fail('sent'),
          (error: Error) => error,
        )
        assert.doesNotMatch(message, /CANARY|token-1/)
        return message
      }
      const description = `AADSTS7000215: ${SECRET} is not the secret.`
      endpoint.answer = () => answer({ error: 'invalid_client', error_description: description }, 401)
      assert.match(await failure(), /status 401: invalid_client: AADSTS7000215: \[secret\]/)
      endpoint.answer = () => answer({ token_type: 'Bearer' })
      assert.match(await failure(), /status 200: no reason given/)
      endpoint.answer = () => ({ status: 200, body: '<html>' })
      assert.match(await failure(), /status 200/)
      endpoint.answer = () => 'hangUp'
      assert.match(await failure(), /token endpoint could not be reached/)
      endpoint.answer = () => answer({ access_token: 'token-0', token_type: 'Bearer' })
      assert.match(await failure(), /rejected the username or password/)
    })

    test('the client secret is stored sealed, never shown, and sealed again with a new key', async (t) => {
      const { app, call, store, given, xoauth2, secretNow, masterKeys } = await open(t)
      const { id } = await call(api.addEmailProviderSMTP, given, boss)
      const { config } = await call(api.getEmailProviderById, { id }, boss)
      const smtp = config?.config.case === 'smtp' ? config.config.value : assert.fail('no server')
      const { tokenEndpoint, scopes, oauth2Type } =
        smtp.auth.case === 'xoauth2' ? smtp.auth.value : assert.fail(`${smtp.auth.case}`)
      assert.deepEqual(
        [tokenEndpoint, scopes, oauth2Type.value?.clientId],
        [xoauth2.tokenEndpoint, [SCOPE], 'mailer:app'],
      )
      const { resealed } = await rotateDataKey({ ...app, masterKeys, sealedJobs: mailModule.sealedJobs ?? [] })
      assert.ok(resealed > 0)
      assert.equal(await secretNow(), SECRET)
      assert.doesNotMatch(JSON.stringify(await store.events({ limit: 50 })), /CANARY/)
      assert.equal(config?.details?.resourceOwner, INSTANCE)
    })

    test('the secret stays with the server and the endpoint that it was set for', async (t) => {
      const { call, given, xoauth2, secretNow } = await open(t)
      const { id } = await call(api.addEmailProviderSMTP, given, boss)
      const without = { case: 'clientCredentials', value: { clientId: 'mailer:app' } } as const
      const change = (other: object, oauth: object = {}) => {
        const auth = { case: 'xoauth2', value: { ...xoauth2, oauth2Type: without, ...oauth } } as const
        return call(api.updateEmailProviderSMTP, { ...given, id, auth, ...other }, boss)
      }
      const field = 'xoauth2.clientCredentials.clientSecret'
      const otherClient = { case: 'clientCredentials', value: { clientId: 'other' } } as const
      for (const [other, oauth] of [
        [{ host: '127.0.0.1:9' }, {}],
        [{ user: 'other@example.org' }, {}],
        [{}, { tokenEndpoint: 'http://127.0.0.1:9/token' }],
        [{}, { oauth2Type: otherClient }],
      ] as const) {
        await isRefused(change(other, oauth), 'mail.smtp_invalid', field)
      }
      const plain = { case: 'plain', value: {} } as const
      await isRefused(change({ auth: plain }), 'mail.smtp_invalid', 'password')
      await isRefused(call(api.updateEmailProviderSMTPPassword, { id }, boss), 'mail.smtp_invalid', field)
      await change({ senderName: 'Another' })
      assert.equal(await secretNow(), SECRET)
      // Clients that know no access tokens change the rest and keep them, until they set a password.
      const { auth: _, ...rest } = given
      await call(api.updateSMTPConfig, { ...rest, senderName: 'Older', id }, boss)
      await call(api.updateEmailProviderSMTP, { ...rest, senderName: 'Newer', id }, boss)
      const authNow = async () => {
        const { config } = (await call(api.getEmailProvider, {}, boss)).config ?? assert.fail('none')
        return config.case === 'smtp' ? config.value.auth.case : undefined
      }
      assert.deepEqual([await authNow(), await secretNow()], ['xoauth2', SECRET])
      await call(api.updateEmailProviderSMTPPassword, { id, password: 'renewed' }, boss)
      assert.equal(await secretNow(), 'renewed')
      await call(api.updateSMTPConfig, { ...rest, id, password: 'plain' }, boss)
      assert.deepEqual([await authNow(), await secretNow()], ['plain', 'plain'])
    })

    test('what cannot work is refused, every field by its name', async (t) => {
      const { call, given, xoauth2 } = await open(t)
      const add = (oauth: object, other: object = {}) => {
        const auth = { case: 'xoauth2', value: { ...xoauth2, ...oauth } } as const
        return call(api.addEmailProviderSMTP, { ...given, ...other, auth }, boss)
      }
      const client = (value: object) => ({ oauth2Type: { case: 'clientCredentials', value } as const })
      for (const [oauth, field, other] of [
        [{ tokenEndpoint: '' }, 'xoauth2.tokenEndpoint'],
        [{ tokenEndpoint: 'ftp://login.example/token' }, 'xoauth2.tokenEndpoint'],
        [{ tokenEndpoint: 'http://169.254.169.254/token' }, 'xoauth2.tokenEndpoint'],
        [{ scopes: ['two scopes'] }, 'xoauth2.scopes'],
        [client({ clientId: '', clientSecret: 's' }), 'xoauth2.clientCredentials.clientId'],
        [client({ clientId: 'c' }), 'xoauth2.clientCredentials.clientSecret'],
        [{ oauth2Type: { case: undefined } }, 'xoauth2.clientCredentials.clientId'],
        [{}, 'user', { user: '' }],
      ] as const) {
        await isRefused(add(oauth, other), 'mail.smtp_invalid', field)
      }
      await isRefused(call(api.getEmailProvider, {}, boss), 'mail.smtp_not_found')
    })
  })
}
