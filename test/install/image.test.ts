/** The container image, as far as it can be seen without Docker: what its build copies is what `npm ci` and the server need. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

const dockerfile = read('deploy/docker/Dockerfile')
/** Sources of `COPY` in the first stage. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))

suite('the image', () => {
  test('copies what is there, and the ignore file lets it through', () => {
    const ignored = read('deploy/docker/Dockerfile.dockerignore').split('\n')
    for (const name of copied) {
      assert.ok(existsSync(join(root, name)), name)
      assert.ok(ignored.includes(`!${name}`), `${name} is ignored`)
    }
  })

  test('has every file that its build imports', () => {
    const files = globSync(['{src,tools,contract,console}/**/*.{ts,tsx,js}', 'docs/.vitepress/**/*.ts'], {
      cwd: root,
      exclude: ['**/dist/**', '**/*.test.ts'],
    })
    const missing = files.flatMap((file) => {
      const imports = [...read(file).matchAll(/ from '(\.[^']+)'/g)].map(([, name = '']) => name)
      const targets = imports.map((name) => normalize(join(dirname(file), name)))
      return targets.filter((target) => !copied.some((name) => target === name || target.startsWith(`${name}/`)))
    })
    // Tools for tests and checks are not part of the build.
    assert.deepEqual(
      missing.filter((target) => !target.startsWith('test/')),
      [],
    )
  })

  test('has what its settings of the compiler extend, and fails when a part cannot be built', () => {
    const { extends: base } = JSON.parse(read('console/tsconfig.json')) as { readonly extends: string }
    assert.ok(copied.includes(normalize(join('console', base))), base)
    assert.match(dockerfile, /^RUN CI=true npm ci .* && node_modules\/\.bin\/node tools\/build-checkout\.js --state$/m)
    const [before = ''] = dockerfile.split('npm ci')
    assert.match(before, /^COPY LICENSE /m, 'the licenses are part of the build')
  })

  test('starts with the command that README shows', () => {
    assert.match(
      read('README.md'),
      /docker build -f deploy\/docker\/Dockerfile -t signet \. && docker run -p 8080:8080 -v signet:\/data signet/,
    )
    assert.match(dockerfile, /SIGNET_LISTEN=0\.0\.0\.0:8080/)
    assert.match(dockerfile, /^VOLUME \/data$/m)
    assert.match(dockerfile, /^ENTRYPOINT \["\/app\/bin\/signet"\]\nCMD \["start"\]$/m)
  })
})
