/** What operators of the real server rely on: its numbers, its settings, and waits that end before the port ends them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, runServer } from './run-server.ts'

const patient = { timeout: 600_000 }

async function post(server: Running, path: string, body: object) {
  const url = await server.url
  const token = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The numbers of the server by name and label. */
async function readMetrics(server: Running): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${await server.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('signet_'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

async function stop(server: Running): Promise<void> {
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.stderr())
}

function person(name: string) {
  return {
    username: name,
    profile: { givenName: 'Ada', familyName: 'Lovelace' },
    email: { email: `${name}@example.com`, sendCode: {} },
    password: { password: 'a rather long secret' },
  }
}

suite('the server in operation', () => {
  test('tells of mails, text messages and passwords, two processes as one', patient, async () => {
    const server = await runServer('main', ['start'], { SIGNET_WORKERS: '2' })
    for (const name of ['ada', 'bob']) {
      const added = await post(server, '/v2/users/human', person(name))
      assert.equal(added.status, 200, JSON.stringify(added.body))
    }
    let metrics = await readMetrics(server)
    while (metrics.get('signet_mail_tries_total{outcome="inbox"}') !== 2 || metrics.get('signet_jobs_waiting') !== 0) {
      await sleep(20)
      metrics = await readMetrics(server)
    }
    const expected = {
      signet_jobs_waiting: 0,
      signet_jobs_parked: 0,
      'signet_mails{state="waiting"}': 0,
      'signet_mails{state="parked"}': 0,
      'signet_mail_tries_total{outcome="sent"}': 0,
      'signet_mail_tries_total{outcome="inbox"}': 2,
      'signet_mail_tries_total{outcome="delayed"}': 0,
      'signet_mail_tries_total{outcome="parked"}': 0,
      'signet_text_messages{state="waiting"}': 0,
      'signet_text_messages{state="parked"}': 0,
      'signet_text_message_tries_total{outcome="sent"}': 0,
      'signet_text_message_tries_total{outcome="delayed"}': 0,
      'signet_text_message_tries_total{outcome="parked"}': 0,
      'signet_password_tasks{state="running"}': 0,
      'signet_password_tasks{state="waiting"}': 0,
      'signet_password_tasks{state="expensive_running"}': 0,
      'signet_password_tasks{state="expensive_waiting"}': 0,
      'signet_password_tasks_total{outcome="finished"}': 2,
      'signet_password_tasks_total{outcome="refused"}': 0,
      'signet_password_tasks_total{outcome="expensive_finished"}': 0,
      'signet_password_tasks_total{outcome="expensive_refused"}': 0,
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(metrics.get(name), value, name)
    await stop(server)
  })

  test('answers who waits for a mail before the port would end the exchange', patient, async () => {
    const server = await runServer('main', ['start'], { SIGNET_REQUEST_TIMEOUT: '3' })
    const wait = { recipient: 'nobody@example.com', timeout: '25s' }
    assert.deepEqual(await post(server, '/v2/mails/inbox/_wait', wait), { status: 200, body: {} })
    await stop(server)
  })

  test('posts text messages into its own network only when that is allowed', patient, async () => {
    const endpoint = 'http://127.0.0.1:9/sms'
    for (const [allowed, status] of [
      ['false', 400],
      ['true', 200],
    ] as const) {
      const server = await runServer('main', ['start'], { SIGNET_ALLOW_PRIVATE_NETWORK: allowed })
      const added = await post(server, '/admin/v1/sms/http', { endpoint })
      assert.equal(added.status, status, JSON.stringify(added.body))
      const metadata = await post(server, '/admin/v1/sms/http', { endpoint: 'http://169.254.169.254/latest' })
      assert.equal(metadata.status, 400)
      await stop(server)
    }
  })
})
