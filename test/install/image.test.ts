/** The container image, as far as it can be seen without Docker: what its build copies is what `npm ci` and the server need. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fillTexts } from '../../tools/release/texts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

const dockerfile = read('deploy/docker/Dockerfile')
const [, checkout = '', released = '', files = '', image = ''] = dockerfile.split(/^FROM /m)
/** Sources of `COPY` in the stage that builds from a checkout. */
const copied = [...checkout.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))

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
    assert.match(checkout, /^RUN CI=true npm ci$/m)
    const [before = ''] = dockerfile.split('npm ci')
    assert.match(before, /^COPY LICENSE /m, 'the licenses are part of the build')
  })

  test('starts with the command that README shows', () => {
    assert.match(
      read('README.md'),
      /docker build -f deploy\/docker\/Dockerfile -t signet \. && docker run -p 8080:8080 -v signet:\/data signet/,
    )
    assert.match(image, /SIGNET_LISTEN=0\.0\.0\.0:8080/)
    assert.match(image, /^VOLUME \/data$/m)
    assert.match(image, /^ENTRYPOINT \["\/usr\/local\/bin\/signet"\]\nCMD \["start"\]$/m)
    assert.match(files, /install -D -m 0755 \/signet \/image\/usr\/local\/bin\/signet/)
  })

  test('has the executable and nothing to start another program with, for a user without rights', () => {
    assert.match(image, /^gcr\.io\/distroless\/cc-debian12\n/)
    assert.doesNotMatch(image, /^RUN |^SHELL |\/bin\/sh|"-c"/m)
    assert.match(image, /^USER 10001:10001$/m)
    const health = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]'
    assert.deepEqual(JSON.parse(health), ['/usr/local/bin/signet', 'ready'])
    const compose = read('deploy/docker/compose.yaml')
    assert.doesNotMatch(compose, /\/bin\/sh|\/app\/bin/)
    assert.match(compose, /read_only: true/)
    // Each secret that is used is declared, and each of these has a file that the comment at the top makes.
    for (const [, file = ''] of compose.matchAll(/^ {4}file: (\S+)$/gm))
      assert.match(compose, new RegExp(`> ${file}\\b`))
  })

  test('of a release is made from its archives, by their hashes, and copies nothing of a checkout', () => {
    const hashes = new Map([['linux-x64', 'a'.repeat(64)] as const, ['linux-arm64', 'b'.repeat(64)] as const])
    const [, text = ''] = fillTexts('1.2.3', hashes).find(([file]) => file === 'Dockerfile') ?? []
    assert.match(text, /^ARG SOURCE=released$/m)
    assert.match(text, /amd64\) platform=linux-x64 hash=a{64} ;;/)
    assert.match(text, /releases\/download\/v1\.2\.3\/signet-1\.2\.3-\$platform\.tar\.gz/)
    assert.match(released, /sha256sum --check[^|]*tar -xzOf \/archive signet/s)
    assert.doesNotMatch(released + files + image, /^COPY (?!--from)/m)
  })
})
