/**
 * Every secret that the contract knows is sent to the real server, or got from it, in good requests and in bad ones.
 * Then all that the server has left behind is searched: database, log, metrics, errors, and replies but for the fields
 * that give a secret back on purpose.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DescMessage, type JsonObject, ScalarType } from '@bufbuild/protobuf'
import pg from 'pg'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { leastOf } from '../contract/limit-values.ts'
import { type Running, runServer } from '../faults/run-server.ts'
import { afterwards } from '../support/afterwards.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { hasOpenLdap } from '../support/open-ldap.ts'
import { freshDatabase } from '../support/postgres.ts'
import { allMethods } from '../support/services.ts'
import { stopWatching, watchByActions } from './actions.ts'
import { exerciseApplications } from './applications.ts'
import { exerciseLoginPage } from './login-page.ts'
import { exerciseOwnAccount } from './own-account.ts'
import { exercisePeople } from './people.ts'
import { exerciseProviders } from './providers.ts'
import { openClient, type SecretClient } from './secret-client.ts'
import { replyFields, requestFields } from './secret-fields.ts'
import { openWatch, type Watch } from './secret-watch.ts'
import { exerciseInbox, exerciseMail, exerciseTextMessages } from './senders.ts'
import { exerciseDirectory, exerciseForm, exerciseIntents, exerciseSessions } from './sessions.ts'
import { exerciseAddresses, exerciseWrongForms } from './wrong-forms.ts'

const patient = { timeout: 600_000 }

/** Each answers a challenge of the session that it stands in, and a session that begins has none yet. */
const NEVER_TAKEN = ['webAuthN.credentialAssertionData', 'otpSms.code', 'otpEmail.code'].map(
  (path) => `session.v2.SessionService/CreateSession checks.${path}`,
)

/** A test that succeeds needs an authorization server: `features/mail/xoauth2.test.ts` has one, and looks at its errors. */
const WITHOUT_TOKENS = ['admin.v1.AdminService/TestEmailProviderSMTP xoauth2.clientCredentials.clientSecret']

/** Only a directory takes a password for an account of its own, and only a sign-in there gives a token at once. */
const INTENT = 'user.v2.UserService/StartIdentityProviderIntent'
const WITHOUT_DIRECTORY = {
  taken: hasOpenLdap ? [] : [`${INTENT} ldap.password`],
  given: hasOpenLdap ? [] : [`${INTENT} idpIntent.idpIntentToken`],
}

const NEW_SECRETS = ['password.password', 'hashedPassword.hash', 'totpSecret']
const CHANGED_SECRETS = ['password.password', 'hashedPassword.hash', 'currentPassword', 'verificationCode']

/** The drafts for a person have the shape of requests, and never a way to sign in. */
const NEVER_GIVEN = [
  ...NEW_SECRETS.map((path) => `addHumanUser.${path}`),
  ...CHANGED_SECRETS.map((path) => `updateHumanUser.password.${path}`),
  ...NEW_SECRETS.map((path) => `createUser.human.${path}`),
  ...CHANGED_SECRETS.map((path) => `updateUser.human.password.${path}`),
].map((path) => `user.v2.UserService/RetrieveIdentityProviderIntent ${path}`)

/** A hash that goes through the address bar, and what the organization that proves a domain publishes. */
const PUBLIC = [
  'signet.application.v2.StartSignInTrialRequest.codeChallenge',
  'signet.management.v1.GenerateOrgDomainValidationResponse.token',
  'signet.org.v2.GenerateOrganizationDomainValidationResponse.token',
]

/** Sounds like a secret. */
const SUSPICIOUS = /secret|password|token|code|private|credential|hash|signing|otp(Sms|Email)$/i
/** Ids, names, times, addresses and numbers of such things, what is public by its nature, and settings about them. */
const HARMLESS =
  /(Id|Ids|Name|Names|Endpoint|Date|Type|Lifetime|Link|Length|Number|Filter|Query|Queries|Required|Changed|Allowed|Assertion)$|^(has|is|force|hide|max|min|allow|ignore|send|return|expire)[A-Z]/

function fieldsOf(message: DescMessage, known: Set<DescMessage>): void {
  if (known.has(message)) return
  known.add(message)
  for (const { message: inner } of message.fields) if (inner !== undefined) fieldsOf(inner, known)
}

test('a field that sounds like a secret is marked as one, or stands here with the reason why it is none', () => {
  const messages = new Set<DescMessage>()
  for (const { input, output } of allMethods.values())
    for (const message of [input, output]) fieldsOf(message, messages)
  const unmarked = [...messages].flatMap((message) =>
    message.fields
      // A flag contains no secret.
      .filter((field) => field.fieldKind === 'scalar' && field.scalar !== ScalarType.BOOL)
      .filter(({ proto }) => proto.options?.debugRedact !== true)
      .filter(({ jsonName }) => SUSPICIOUS.test(jsonName) && !HARMLESS.test(jsonName))
      .map(({ jsonName }) => `${message.typeName}.${jsonName}`),
  )
  assert.deepEqual(unmarked, PUBLIC)
})

test('a secret is found in whatever way it is spelled, and a short one not inside of another word', () => {
  const secret = 'kanarie-4711-Aa+/'
  for (const around of ['', 'x', 'xy', 'xyz']) {
    const bytes = Buffer.from(`${around}${secret}${around}`)
    for (const text of [
      bytes.toString(),
      bytes.toString().toUpperCase(),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ]) {
      const watch = openWatch()
      watch.keep(secret, 'the secret')
      watch.look('a place', `before ${text} after`)
      assert.equal(watch.findHits().length, 1, text)
    }
  }
  const watch = openWatch()
  watch.keep('314159', 'a code')
  watch.look('elsewhere', '{"at":1314159,"ms":0.314159,"id":"x-314159"}')
  assert.deepEqual(watch.findHits(), [])
  watch.look('here', '{"code":"314159"}')
  assert.equal(watch.findHits().length, 1)
})

interface Storage {
  readonly settings: Readonly<Record<string, string>>
  /** Everything in the database, by where it is. */
  read(): Promise<ReadonlyMap<string, string | Uint8Array>>
}

async function openFiles(dataDir: string): Promise<Storage> {
  return {
    settings: {},
    async read() {
      const paths = await Array.fromAsync(glob(join(dataDir, 'signet.db*')))
      return new Map(
        await Promise.all(paths.map(async (path) => [path.slice(dataDir.length), await readFile(path)] as const)),
      )
    },
  }
}

async function openTables(watch: Watch, t: TestContext): Promise<Storage> {
  const database = (await freshDatabase()) ?? assert.fail('PostgreSQL was there a moment ago')
  afterwards(t, () => database.drop())
  const masterKey = randomBytes(32)
  watch.keep(masterKey, 'the master key')
  return {
    settings: { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: masterKey.toString('base64') },
    async read() {
      const connection = new pg.Client({ connectionString: database.url })
      await connection.connect()
      const tables = await connection.query(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_)'`,
      )
      const found = new Map<string, string>()
      for (const { name } of tables.rows) {
        const { rows } = await connection.query(`select one::text as text from ${name} one`)
        found.set(name, rows.map(({ text }) => text).join('\n'))
      }
      await connection.end()
      return found
    },
  }
}

/** Reads back whatever can be read without knowing an id, and the whole log. */
async function readEverything(client: SecretClient): Promise<void> {
  for (const method of allMethods.values()) {
    if (/^(List|Get|Search)/.test(method.name)) await client.call(method, leastOf(method.input), { isRefused: true })
  }
  for (let sequence = '0'; ; ) {
    const { events } = await client.call(AdminService.method.listEvents, { sequence, limit: 1000, asc: true })
    const last = (events as JsonObject[] | undefined)?.at(-1)
    if (last === undefined) break
    sequence = String(last.sequence)
  }
}

/** The whole log as the event stream tells it. */
async function readStream(client: SecretClient, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await fetch(`${client.url}/v2/events/stream?after=0`, { headers })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('"lag":"0"')) break
  }
  return text
}

async function readMetrics(client: SecretClient): Promise<string> {
  return (await fetch(`${client.url}/metrics`)).text()
}

/** The jobs that wait hold secrets, sealed: the search would mean little without them. */
async function waitForJobs(client: SecretClient): Promise<void> {
  for (;;) {
    const metrics = await readMetrics(client)
    const outcomes = [
      'signet_mail_tries_total{outcome="delayed"}',
      'signet_text_message_tries_total{outcome="delayed"}',
    ]
    if (outcomes.every((name) => metrics.includes(`${name} `) && !metrics.includes(`${name} 0\n`))) return
    await sleep(50)
  }
}

/** Everything that callers do with secrets where they belong. */
async function exercise(client: SecretClient, t: TestContext): Promise<void> {
  await exerciseInbox(client)
  await exercisePeople(client)
  await exerciseOwnAccount(client)
  await exerciseApplications(client)
  await exerciseLoginPage(client)
  await exerciseProviders(client)
  await exerciseSessions(client)
  await exerciseIntents(client, t)
  await exerciseForm(client)
  if (hasOpenLdap) await exerciseDirectory(client, t)
  await exerciseTextMessages(client, t)
  await exerciseMail(client, t)
}

async function keepOwnSecrets(watch: Watch, server: Running, dataDir: string): Promise<string> {
  const read = async (file: string) => (await readFile(join(dataDir, file), 'utf8').catch(() => '')).trim()
  const masterKey = await read('master.key')
  if (masterKey !== '') watch.keep(Buffer.from(masterKey, 'base64'), 'the master key')
  const [, code] = /[?&]code=([^\s&]+)/.exec(server.stdout()) ?? []
  watch.keep(code ?? assert.fail(server.stdout()), 'the code of the first administrator', /^the standard output/)
  return read('admin.pat')
}

for (const engine of engines) {
  suite(`secrets on ${engine.name}`, () => {
    test('appear only in the response to the caller who requested them', patient, async (t) => {
      const watch = openWatch()
      const dataDir = await mkdtemp(join(tmpdir(), 'signet-secrets-'))
      afterwards(t, () => rm(dataDir, { recursive: true, force: true }))
      const storage = engine.name === 'sqlite' ? await openFiles(dataDir) : await openTables(watch, t)
      const port = await freePort()
      const server = await runServer('main', ['start'], {
        SIGNET_DATA_DIR: dataDir,
        SIGNET_LISTEN: `127.0.0.1:${port}`,
        SIGNET_LOG_LEVEL: 'trace',
        SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
        ...storage.settings,
      })
      afterwards(t, async () => {
        server.child.kill('SIGKILL')
        await server.ended
      })
      await server.url
      const token = await keepOwnSecrets(watch, server, dataDir)
      const client = openClient(`http://localhost:${port}`, token, watch)
      const receiver = await watchByActions(client, t)
      await exercise(client, t)
      // What is an ID to the contract is one to targets, too.
      await stopWatching(client)
      await exerciseWrongForms(client)
      await exerciseAddresses(client)
      await waitForJobs(client)
      await readEverything(client)
      const stream = await readStream(client, token)
      assert.ok(stream.includes('personal_access_token.added.v1'), 'the stream was not read')
      watch.look('the event stream', stream)
      watch.look('the metrics', await readMetrics(client))
      for (const [name, content] of await storage.read()) watch.look(`the database, running: ${name}`, content)
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0)
      const left = await storage.read()
      assert.ok(Buffer.concat([...left.values()].map((content) => Buffer.from(content as string))).includes('Upstream'))
      for (const [name, content] of left) watch.look(`the database, stopped: ${name}`, content)
      for (const { body } of receiver.calls) watch.look('what a target of actions or a webhook got', body)
      for (const member of ['"event_type"', '"timestamp"']) {
        assert.ok(
          receiver.calls.some(({ body }) => body.includes(member)),
          member,
        )
      }
      watch.look('the log', server.stderr())
      watch.look('the standard output', server.stdout())

      const namesOf = (fields: typeof requestFields, seen: ReadonlySet<string>) =>
        fields.map(({ name }) => name).filter((name) => !seen.has(name))
      assert.deepEqual(namesOf(requestFields, client.accepted), [
        ...WITHOUT_TOKENS,
        ...NEVER_TAKEN,
        ...WITHOUT_DIRECTORY.taken,
      ])
      assert.deepEqual(namesOf(replyFields, client.returned), [...WITHOUT_DIRECTORY.given, ...NEVER_GIVEN])
      assert.ok(server.stderr().split('\n').length > 1000, 'the log was not read')
      assert.deepEqual(watch.findHits(), [])
      t.diagnostic(JSON.stringify(watch.counts()))
    })
  })
}
