import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A checkout whose sources and whose build each say who they are. */
async function checkout(t: TestContext): Promise<{ readonly folder: string; run(): string }> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-checkout-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src/cli', 'src/config', 'contract/gen', 'console/dist', 'dist/checkout', 'packages/create']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const file of ['src/main.js', 'src/config/checkout-build.js']) cpSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'src/cli/main.js'), `console.log('sources')`)
  writeFileSync(join(folder, 'dist/checkout/main.js'), `console.log('build')`)
  const { STATE_FILE, stateOfSources } = await import(pathToFileURL(join(folder, 'src/config/checkout-build.js')).href)
  writeFileSync(join(folder, 'dist/checkout', STATE_FILE), stateOfSources())
  const run = () => spawnSync(process.execPath, [join(folder, 'src/main.js')], { encoding: 'utf8' }).stdout.trim()
  return { folder, run }
}

test('a checkout runs its build until its sources change', async (t) => {
  const { folder, run } = await checkout(t)
  assert.equal(run(), 'build')
  const added = join(folder, 'src/config/added.ts')
  writeFileSync(added, '')
  assert.equal(run(), 'sources')
})

test('a checkout without a build runs its sources', async (t) => {
  const { folder, run } = await checkout(t)
  rmSync(join(folder, 'dist'), { recursive: true })
  assert.equal(run(), 'sources')
  writeFileSync(join(folder, 'src/cli/main.js'), `console.log('changed')`)
  assert.equal(run(), 'changed')
})
