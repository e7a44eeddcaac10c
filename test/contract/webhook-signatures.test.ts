/**
 * What webhooks and targets get, verified by the `standardwebhooks` packages of npm, Python and Go, the latter two where
 * these are installed. Each of them refuses a request of which one byte was changed.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { watchOf } from '../../src/features/deliveries/index.ts'
import { type ActionWorld, openActionWorld } from '../support/action-world.ts'
import { engines } from '../support/engines.ts'

/** A request as it arrived, with a secret of its receiver. */
interface Signed {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Verdict = 'accepted' | 'refused'
type Verifier = { readonly verify: (requests: readonly Signed[]) => readonly Verdict[] } | { readonly missing: string }

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../support/${name}`, import.meta.url))
}

/** A program that reads a request in each line and prints what it thinks of it. */
function verifyWith(program: string, ...words: readonly string[]): Verifier {
  return {
    verify(requests) {
      const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
      const { stdout, stderr, status } = spawnSync(program, words, { input, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      return stdout.trim().split('\n') as Verdict[]
    },
  }
}

const npmVerifier: Verifier = {
  verify: (requests) =>
    requests.map(({ secret, headers, body }) => {
      try {
        new Webhook(secret).verify(body, headers)
        return 'accepted'
      } catch {
        return 'refused'
      }
    }),
}

function pythonVerifier(): Verifier {
  const { status } = spawnSync('python3', ['-c', 'import standardwebhooks'], { stdio: 'ignore' })
  if (status !== 0) return { missing: 'python3 has no package standardwebhooks here' }
  return verifyWith('python3', pathOf('webhooks_verifier.py'))
}

function goVerifier(): Verifier {
  const folder = mkdtempSync(join(tmpdir(), 'signet-webhooks-go-'))
  after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'verifier')
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }
  const cwd = pathOf('webhooks-go')
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd, env, stdio: 'ignore' })
  if (status !== 0)
    return { missing: 'go has no module of Standard Webhooks here: go mod download in test/support/webhooks-go' }
  return verifyWith(program)
}

const VERIFIERS = [
  ['npm', npmVerifier],
  ['PyPI', pythonVerifier()],
  ['Go', goVerifier()],
] as const

/** Requests of every way in which we sign by Standard Webhooks, by what they are. */
async function send(world: ActionWorld): Promise<ReadonlyMap<string, Signed>> {
  const { receiver } = world
  const rest: ActionWorld['rest'] = async (...words) => {
    const answer = await world.rest(...words)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  const arrived = async (path: string, isIt: (body: string) => boolean): Promise<Omit<Signed, 'secret'>> => {
    for (;;) {
      const found = receiver.calls.find((call) => call.path === path && isIt(call.body))
      if (found !== undefined) return { headers: found.headers as Record<string, string>, body: found.body }
      await receiver.received(receiver.calls.length + 1)
    }
  }
  const standard = { signatureType: 'SIGNATURE_TYPE_STANDARD_WEBHOOKS', timeout: '5s' }
  const addTarget = (name: string, type: string) =>
    rest('POST', '/v2/actions/targets', { ...standard, name, endpoint: `${receiver.url}/${name}`, [type]: {} })
  const hook = await rest('POST', '/v2/webhooks', { name: 'Hook', endpoint: `${receiver.url}/hook` })
  const queued = await addTarget('queued', 'restAsync')
  const awaited = await addTarget('awaited', 'restCall')
  await world.setExecution({ event: { event: 'user.machine.added' } }, [String(queued.body.id)])
  const method = '/zitadel.user.v2.UserService/GetUserByID'
  await world.setExecution({ request: { method } }, [String(awaited.body.id)])

  const webhook = `/v2/webhooks/${hook.body.webhookId}`
  await rest('POST', `${webhook}/test`, {})
  const tested = await arrived('/hook', (body) => body.includes('webhook.test'))
  const rotated = await rest('POST', `${webhook}/secret`, {})
  const machine = { userName: 'robot', name: 'Zoë 机器人 🤖 </script>', description: '"\\' }
  const { body: made } = await rest('POST', '/management/v1/users/machine', machine)
  await watchOf(world.app).look()
  await rest('GET', `/v2/users/${made.userId}`)
  const event = await arrived('/hook', (body) => body.includes('机器人'))
  return new Map([
    ['a test', { ...tested, secret: String(hook.body.secret) }],
    ['an event, with the former secret', { ...event, secret: String(hook.body.secret) }],
    ['an event, with the new secret', { ...event, secret: String(rotated.body.secret) }],
    ['an event for a target', { ...(await arrived('/queued', () => true)), secret: String(queued.body.signingKey) }],
    ['a call of a target', { ...(await arrived('/awaited', () => true)), secret: String(awaited.body.signingKey) }],
  ])
}

/** The text with another character at a place. */
function changedAt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** A request with one byte changed, in each part that a signature covers, and in the signature. */
function changed({ secret, headers, body }: Signed): readonly Signed[] {
  const signatures = headers['webhook-signature'] ?? ''
  const spoilt = signatures
    .split(' ')
    .map((one) => changedAt(one, 10))
    .join(' ')
  const withHeader = (name: string, value: string) => ({ secret, body, headers: { ...headers, [name]: value } })
  const timestamp = Number(headers['webhook-timestamp'])
  return [
    { secret, headers, body: changedAt(body, 0) },
    { secret, headers, body: changedAt(body, Math.floor(body.length / 2)) },
    { secret, headers, body: changedAt(body, body.length - 1) },
    { secret, headers, body: `${body} ` },
    withHeader('webhook-id', changedAt(headers['webhook-id'] ?? '', 5)),
    withHeader('webhook-timestamp', String(timestamp - 1)),
    withHeader('webhook-signature', spoilt),
    { headers, body, secret: changedAt(secret, 20) },
  ]
}

for (const engine of engines) {
  suite(`signatures of webhooks and targets on ${engine.name}`, () => {
    let world: ActionWorld
    let runner: ReturnType<ActionWorld['run']>
    let sent: ReadonlyMap<string, Signed>
    before(async () => {
      world = await openActionWorld(engine)
      runner = world.run()
      sent = await send(world)
    })
    after(async () => {
      await runner.stop()
      await world.dispose()
    })

    for (const [name, verifier] of VERIFIERS) {
      const skip = 'missing' in verifier && verifier.missing
      const verify = 'verify' in verifier ? verifier.verify : () => []

      test(`are accepted by the package of ${name}`, { skip }, () => {
        const verdicts = verify([...sent.values()])
        assert.deepEqual(
          [...sent.keys()].map((what, at) => [what, verdicts[at]]),
          [...sent.keys()].map((what) => [what, 'accepted']),
        )
      })

      test(`are refused by the package of ${name} with one byte changed`, { skip }, () => {
        for (const [what, request] of sent) {
          const verdicts = verify(changed(request))
          assert.deepEqual(verdicts, Array(8).fill('refused'), what)
        }
      })
    }
  })
}
