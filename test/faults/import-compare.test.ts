/** `signet import compare` with two real servers: one is a copy of the other. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { callApi } from '../support/server-process.ts'
import { type Running, runServer } from './run-server.ts'

const patient = { timeout: 300_000 }

suite('signet import compare', patient, () => {
  let root: string
  let source: Running
  let target: Running
  let projectId: string
  let userId: string

  async function call(server: Running, verb: string, path: string, body?: object) {
    const { status, body: answer } = await callApi(await server.url, server.dataDir, verb, path, body)
    assert.ok(status < 300, JSON.stringify(answer))
    return answer
  }

  async function compare(...flags: readonly string[]) {
    const [from, to] = await Promise.all([source.url, target.url])
    const [token, ownToken] = [join(root, 'source.pat'), join(root, 'target/admin.pat')]
    const command = await runServer(
      'main',
      ['import', 'compare', from, '--source-token-file', token, '--url', to, '--token-file', ownToken, ...flags],
      { SIGNET_DATA_DIR: join(root, 'none') },
    )
    const code = await command.ended
    return { code, stdout: command.stdout(), stderr: command.stderr() }
  }

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'signet-compare-'))
    const [there, here] = [join(root, 'source'), join(root, 'target')]
    source = await runServer('main', ['start'], { SIGNET_DATA_DIR: there })
    await source.url
    const people = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        call(source, 'POST', '/v2/users/human', {
          username: `person-${index}`,
          profile: { givenName: 'Ada', familyName: `Number ${index}` },
          email: { email: `person-${index}@example.com`, isVerified: true },
          metadata: [{ key: 'team', value: 'Ymx1ZQ==' }],
        }),
      ),
    )
    userId = String(people[77]?.userId)
    const { resourceOwner } = (people[77]?.details ?? {}) as { readonly resourceOwner?: string }
    projectId = String((await call(source, 'POST', '/management/v1/projects', { name: 'Shop' })).id)
    await call(source, 'POST', `/management/v1/projects/${projectId}/roles`, {
      roleKey: 'seller',
      displayName: 'Seller',
    })
    await call(source, 'POST', `/management/v1/users/${userId}/grants`, { projectId, roleKeys: ['seller'] })
    const { id: groupId } = await call(source, 'POST', '/zitadel.group.v2.GroupService/CreateGroup', {
      name: 'Sellers',
      organizationId: resourceOwner,
    })
    await call(source, 'POST', '/zitadel.group.v2.GroupService/AddUsersToGroup', { id: groupId, userIds: [userId] })
    const hook = await call(source, 'POST', '/v2/actions/targets', {
      name: 'hook',
      restWebhook: {},
      timeout: '5s',
      endpoint: 'https://hooks.example.com',
    })
    for (const name of ['preuserinfo', 'preaccesstoken']) {
      await call(source, 'PUT', '/v2/actions/executions', { condition: { function: { name } }, targets: [hook.id] })
    }
    const file = join(root, 'backup')
    const copied = await runServer('main', ['backup', file], { SIGNET_DATA_DIR: there })
    assert.equal(await copied.ended, 0, copied.stderr())
    const key = await readFile(join(there, 'master.key'))
    const restored = await runServer('main', ['restore', file], {
      SIGNET_DATA_DIR: here,
      SIGNET_MASTER_KEY: key.toString().trim(),
    })
    assert.equal(await restored.ended, 0, restored.stderr())
    const token = await readFile(join(there, 'admin.pat'))
    for (const place of ['source.pat', 'target/admin.pat']) await writeFile(join(root, place), token)
    target = await runServer('main', ['start'], { SIGNET_DATA_DIR: here, SIGNET_MASTER_KEY: key.toString().trim() })
    await target.url
  })
  after(async () => {
    for (const server of [source, target]) {
      server.child.kill('SIGTERM')
      await server.ended
    }
    await rm(root, { recursive: true, force: true })
  })

  test('finds no difference between a server and its copy', patient, async () => {
    const { code, stdout, stderr } = await compare()
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^users: 13\d compared, 0 differ$/m)
    assert.match(stdout, /^metadata of users: 130 compared, 0 differ$/m)
    assert.match(stdout, /^authorizations: 1 compared, 0 differ$/m)
    assert.match(stdout, /^roles: \d+ compared, 0 differ$/m)
  })

  test('names each object that differs or is on one side only', patient, async () => {
    await call(target, 'PUT', `/v2/users/human/${userId}`, { profile: { givenName: 'Grace', familyName: 'Number 77' } })
    await call(target, 'DELETE', `/management/v1/projects/${projectId}/roles/seller`)
    await call(target, 'POST', '/v2/organizations', { name: 'Only here' })
    const { code, stdout } = await compare()
    assert.equal(code, 1)
    const about = (text: string) => stdout.split('\n').filter((line) => line.includes(text))
    assert.ok(
      about(`users ${userId}: human.profile.givenName: "Ada" in the source, "Grace" in the target`).length === 1,
      stdout,
    )
    assert.ok(about('roles seller: is there in the source, is missing in the target').length === 1, stdout)
    assert.equal(about('is missing in the source, is there in the target').length, 1, stdout)
    assert.match(stdout, /^users: 13\d compared, 1 differ$/m)
  })

  test('says which questions were not answered, and fails', patient, async () => {
    await writeFile(join(root, 'source.pat'), 'no-token')
    const { code, stdout } = await compare('--json')
    assert.equal(code, 1)
    const { results } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly results: readonly { readonly unanswered?: string }[]
    }
    assert.match(results[0]?.unanswered ?? '', /^The source answered 401 to POST \/admin\/v1\/members\/_search\.$/)
  })
})
