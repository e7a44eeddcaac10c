/** The conformance suites scim2-tester and scim-sanity, where Python has them. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { engines } from '../support/engines.ts'
import { openScimWorld, type ScimWorld } from '../support/scim.ts'

const PYTHON = 'python3'
const TESTER = fileURLToPath(new URL('../support/scim_tester.py', import.meta.url))

function lacks(...modules: readonly string[]): string | false {
  const { status } = spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' })
  return status === 0 ? false : `python3 lacks one of these here: ${modules.join(', ')}`
}

/** What a command prints. */
async function run(...words: readonly string[]): Promise<string> {
  const child = spawn(PYTHON, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  return Buffer.concat(await child.stdout.toArray()).toString()
}

/** The suites make up passwords that no rule allows. */
async function allowAnyPassword(world: ScimWorld): Promise<void> {
  const rules = { minLength: 1, hasUppercase: false, hasLowercase: false, hasNumber: false, hasSymbol: false }
  await world.call(AdminService.method.updatePasswordComplexityPolicy, rules, world.owner)
}

for (const engine of engines) {
  suite(`SCIM on ${engine.name} conforms`, () => {
    test('to scim2-tester', { skip: lacks('scim2_tester', 'httpx2') }, async (t) => {
      const world = await openScimWorld(engine)
      t.after(() => world.dispose())
      await allowAnyPassword(world)
      const lines = await run(TESTER, `${world.url}/scim/v2/${world.defaultOrganizationId}`, world.directory.token)
      const results = lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { status: string; name: string; reason: string })
      const byStatus = Object.groupBy(results, ({ status }) => status)
      t.diagnostic(
        Object.entries(byStatus)
          .map(([status, list]) => `${status} ${list?.length}`)
          .join(', '),
      )
      const failed = results.filter(({ status }) => status === 'ERROR' || status === 'CRITICAL')
      assert.deepEqual(failed, [])
      assert.ok((byStatus.SUCCESS?.length ?? 0) > 20)
    })

    test('to scim-sanity', { skip: lacks('scim_sanity') }, async (t) => {
      const world = await openScimWorld(engine)
      t.after(() => world.dispose())
      // The suite adds a member with an ID that it has made up; here only users can be members.
      await world.addPerson('fake', { userId: 'fake-member-id' })
      const text = await run(
        ...['-m', 'scim_sanity', 'probe', `${world.url}/scim/v2/${world.defaultOrganizationId}`],
        ...['--token', world.directory.token, '--json-output', '--i-accept-side-effects'],
      )
      const report = JSON.parse(text) as { summary: Record<string, number>; results: { status: string }[] }
      t.diagnostic(JSON.stringify(report.summary))
      assert.deepEqual(
        report.results.filter(({ status }) => status === 'FAIL' || status === 'fail'),
        [],
      )
    })
  })
}
