/** A whole release for this platform: built twice, verified, and installed from a registry into an empty folder. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { root } from '../../tools/build-server.ts'
import { NAMES, PLATFORMS } from '../../tools/release/names.ts'
import { type Registry, startRegistry } from '../support/registry.ts'

const here = `${process.platform}-${process.arch}`
const skip = !PLATFORMS.some((platform) => platform === here) && `releases are not made for ${here}`
const options = { timeout: 900_000, skip }

function release(...words: readonly string[]): string {
  const all = [join(root, 'tools/release.ts'), ...words]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

suite('a release', options, () => {
  let folder = ''
  let registry: Registry
  const at = (name: string) => join(folder, name)
  const sums = (name: string) => readFileSync(at(`${name}/SHA256SUMS`), 'utf8')

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signet-release-'))
    release('build', at('first'))
    registry = await startRegistry(at('first'))
  })
  after(async () => {
    await registry.close()
    rmSync(folder, { recursive: true })
  })

  test('has the same bytes when it is built again', options, () => {
    release('build', at('second'))
    assert.equal(sums('second'), sums('first'))
    assert.equal(sums('first').split('\n').length, 13)
  })

  test('is what verify accepts, which starts its executable', options, () => {
    assert.match(release('verify', at('first')), /is as it was built/)
  })

  test('is put together from archives that were built elsewhere, to the same bytes', options, () => {
    mkdirSync(at('gathered'))
    const archive = sums('first').match(/signet-\S+\.tar\.gz/)?.[0] ?? ''
    writeFileSync(at(`gathered/${archive}`), readFileSync(at(`first/${archive}`)))
    release('build', at('gathered'), '--gathered')
    assert.equal(sums('gathered'), sums('first'))
  })

  test('lists what is in the executable', options, () => {
    const [file = ''] = sums('first').match(/signet-\S+\.cdx\.json/) ?? []
    const { specVersion, components } = JSON.parse(readFileSync(at(`first/${file}`), 'utf8'))
    assert.equal(specVersion, '1.6')
    const purls: readonly string[] = components.map(({ purl }: { readonly purl: string }) => purl)
    for (const start of ['pkg:npm/jose@6.', 'pkg:npm/%40mantine/core@9.', 'pkg:generic/node@26.', 'pkg:npm/koa@3.'])
      assert.ok(
        purls.some((purl) => purl.startsWith(start)),
        start,
      )
    assert.ok(!purls.some((purl) => /typescript|biome/.test(purl)))
  })

  test('is installed by npm as one executable for this platform, which starts, serves and ends', options, async () => {
    const place = at('app')
    mkdirSync(join(place, 'home'), { recursive: true })
    const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].filter(
      (one) => one === dirname(process.execPath) || !one.includes('node_modules'),
    )
    const env = { PATH: path.join(delimiter), HOME: join(place, 'home'), npm_config_registry: registry.url }
    const name = NAMES.npm.packages.cli ?? ''
    // The registry is in this process, so it must not wait.
    const install = spawn('npm', ['install', '--prefix', place, name], { env, cwd: place, stdio: 'inherit' })
    assert.equal(await new Promise((resolve) => install.once('exit', resolve)), 0)
    const { packages } = JSON.parse(readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8'))
    assert.deepEqual(Object.keys(packages).toSorted(), [`node_modules/${name}`, `node_modules/${name}-${here}`])

    const command = join(place, 'node_modules/.bin/signet')
    const child = spawn(command, ['test-server', '--json'], { env, cwd: place, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data) => resolve(String(data)))
      void ended.then((code) => reject(new Error(`it ended with ${code}`)))
    })
    const { url, adminToken } = JSON.parse(line)
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const users = await fetch(`${url}/v2/users`, { method: 'POST', headers, body: '{}' })
    assert.equal(users.status, 200)
    assert.equal((await fetch(`${url}/ui/docs/`)).status, 200)
    child.stdin.end()
    assert.equal(await ended, 0)
    const wrong = spawnSync(command, ['start', '--prot'], { env, cwd: place, encoding: 'utf8' })
    assert.equal(wrong.status, 1)
    assert.match(wrong.stderr, /--port/)
  })
})
