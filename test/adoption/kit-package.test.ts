/** The kit as it is published: one file for Node 20 and later, with types, that an app installs and imports by its name. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildPackage, PACKAGES } from '../../tools/build-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const name = PACKAGES.server?.name ?? ''
const options = { timeout: 300_000 }

suite('the package of the kit', options, () => {
  let app: string

  before(async () => {
    app = mkdtempSync(join(tmpdir(), 'signet-kit-'))
    const place = join(app, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    // Its types are found from there, too.
    for (const one of ['jose', 'openid-client', 'oauth4webapi', '@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', one), join(app, 'node_modules', one))
    await buildPackage('server', place)
    writeFileSync(join(app, 'package.json'), '{"type":"module"}')
  })
  after(() => rmSync(app, { recursive: true }))

  test('has no more than its code, its types and its licence, and needs two packages', () => {
    const manifest = JSON.parse(readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.dependencies), ['jose', 'openid-client'])
    assert.equal(manifest.engines.node, '>=20')
  })

  test('is imported by its name and says at once which setting is missing', () => {
    writeFileSync(
      join(app, 'app.js'),
      `import { signet } from '${name}'\nsignet({ issuer: 'https://id.example.com' })\n`,
    )
    const { status, stderr } = spawnSync(process.execPath, ['app.js'], { cwd: app, encoding: 'utf8', env: {} })
    assert.equal(status, 1)
    assert.match(stderr, /SettingError: appUrl \(APP_URL\) is missing/)
  })

  test('has types that a strict compiler accepts, and that find a mistake', () => {
    const tsc = (code: string) => {
      writeFileSync(join(app, 'app.ts'), `import { signet } from '${name}'\nconst kit = signet()\n${code}\nexport {}\n`)
      const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node', 'app.ts']
      return spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...words], {
        cwd: app,
        encoding: 'utf8',
      }).stdout
    }
    const session = "const session = await kit.session(new Request('https://a.example'))\n"
    assert.equal(tsc(`${session}export const sub: string | undefined = session?.sub`), '')
    assert.match(tsc(`${session}export const sub: number | undefined = session?.sub`), /TS2322/)
  })

  test('and nothing else is offered under the name of somebody else’s package', () => {
    const texts = globSync(['*.md', 'docs/**/*.md', '{console/src,packages,src,tools}/**/*.*'], {
      cwd: root,
      exclude: ['docs/dist/**'],
    })
    const wrong = /npx signet\b|npm (i|install) (-g |--global )?signet(?=[\s`]|$)/m
    assert.deepEqual(
      texts.filter((file) => wrong.test(readFileSync(join(root, file), 'utf8'))),
      [],
    )
  })
})
