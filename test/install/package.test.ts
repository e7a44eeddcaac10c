/** What `npm pack` puts into the package: the server as JavaScript, and everything that it needs. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildServer, root } from '../../tools/build-server.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly bundleDependencies: readonly string[]
}

suite('the npm package', () => {
  test('brings every dependency and Node, so that it installs without a network', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
    const needed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)]
    assert.deepEqual(manifest.bundleDependencies.toSorted(), needed.toSorted())
  })

  test('has a server that runs without TypeScript', { timeout: 290_000 }, async (t) => {
    mkdirSync(join(root, 'dist'), { recursive: true })
    // Inside the checkout, so that the server finds the packages.
    const folder = mkdtempSync(join(root, 'dist', 'test-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const entries = { main: 'src/cli/main.js', 'warm-cache': 'tools/warm-cache.ts' }
    await buildServer({ folder, entries, includesPackages: false })

    const node = [process.execPath, '--no-strip-types'] as const
    const warmed = spawnSync(node[0], [node[1], 'warm-cache.js'], { cwd: folder, encoding: 'utf8' })
    assert.equal(warmed.status, 0, warmed.stderr)

    const licenses = spawnSync(node[0], [node[1], join(folder, 'main.js'), 'licenses'], { encoding: 'utf8' })
    for (const name of ['jose 6', '@mantine/core 9', 'Node.js 26']) assert.ok(licenses.stdout.includes(name), name)

    const server = spawn(node[0], [node[1], join(folder, 'main.js'), 'start'], {
      env: { SIGNET_LISTEN: '127.0.0.1:0', SIGNET_DATA_DIR: join(folder, 'data'), SIGNET_LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => server.kill('SIGKILL'))
    const ended = new Promise((resolve) => server.on('exit', resolve))
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      server.stdout.on('data', (chunk) => {
        output += chunk
        const found = /ready at (\S+)\n/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
      void ended.then(() => reject(new Error('The server ended before it was ready.')))
    })
    const response = await fetch(`${url}/v2/users/human`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(folder, 'data', 'admin.pat'), 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        profile: { givenName: 'Ada', familyName: 'Lovelace' },
        email: { email: 'ada@example.com', isVerified: true },
        phone: { phone: '+41 79 123 45 67', isVerified: true },
        password: { password: 'Correct-horse-battery-1' },
      }),
    })
    assert.ok(response.ok, await response.text())
    const consolePage = await fetch(`${url}/ui/console`)
    assert.equal(consolePage.status, 200)
    server.kill('SIGTERM')
    assert.equal(await ended, 0)
  })

  test('starts with the Node of the package from any folder', () => {
    const command = fileURLToPath(new URL('../../bin/signet', import.meta.url))
    const { status, stdout, stderr } = spawnSync(command, ['version'], { cwd: '/', encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^\d+\.\d+\.\d+/)
  })
})
