/**
 * The code that the console shows to begin with, `examples/snippets`: each file is read by the compiler of its language where
 * that is on this machine. `test/e2e/first-app.test.ts` runs those for Node.js and for an API.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import {
  envFileOf,
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  frameworksOf,
  likelyFramework,
  proposedUris,
} from '../../console/src/pages/applications/start/frameworks.ts'
import { type RedirectRules, redirectUriProblem, unusedBecause } from '../../src/features/applications/redirect-uris.ts'

const folder = fileURLToPath(new URL('../../examples/snippets/', import.meta.url))
const VALUES = {
  issuer: 'http://localhost:8080',
  clientId: '123',
  clientSecret: 'the secret',
  projectId: '456',
  redirectUri: 'http://localhost:3000/callback',
  postLogoutRedirectUri: 'http://localhost:3000/',
}
const TYPES = { web: 'web', spa: 'user_agent', native: 'native' } as const

function source(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** Why a compiler is not asked; false when it is. */
function without(program: string): string | false {
  const isThere = (process.env.PATH ?? '').split(delimiter).some((one) => existsSync(join(one, program)))
  return isThere ? false : `there is no ${program} on this machine`
}

function run(program: string, ...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

/** Reads a file with the parser of the Java compiler: what it imports is not here. */
const JAVA_PARSER = `
import javax.tools.*;
import java.util.*;
class Parse {
  public static void main(String[] files) throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var problems = new DiagnosticCollector<JavaFileObject>();
    var manager = compiler.getStandardFileManager(problems, null, null);
    var task = (com.sun.source.util.JavacTask) compiler.getTask(
        null, manager, problems, null, null, manager.getJavaFileObjects(files));
    task.parse();
    for (var one : problems.getDiagnostics()) System.out.println(one);
    System.exit(problems.getDiagnostics().isEmpty() ? 0 : 1);
  }
}
`

suite('the snippets of the console', () => {
  test('are the files that frameworks name, and no others', () => {
    const named = FRAMEWORK_NAMES.flatMap((name) => FRAMEWORKS[name].files)
    const there = globSync('*/**/*.*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
    assert.deepEqual(named.toSorted(), there.toSorted())
  })

  for (const name of FRAMEWORK_NAMES) {
    const { kind, files, address, settings } = FRAMEWORKS[name]

    test(`for ${name} read no setting that they are not given`, () => {
      const given = Object.keys(settings(VALUES))
      const code = files.map(source).join('\n')
      const read = [
        ...code.matchAll(
          /(?:process\.env\.|import\.meta\.env\.|os\.Getenv\("|os\.environ\[["']|settings\["|\$\{)([A-Z][A-Z_]+)/g,
        ),
        ...[...code.matchAll(/const \{ ([A-Z_, ='0-9]+) \} = process\.env/g)].flatMap(([, list = '']) => [
          ...list.matchAll(/([A-Z_]{3,})(?!\s*=|[A-Z_])/g),
        ]),
      ].map(([, setting = '']) => setting)
      const missing = read.filter((setting) => !given.includes(setting) && setting !== 'PORT')
      assert.deepEqual(missing, [])
      assert.match(envFileOf(settings(VALUES)), /^(?:[A-Z_]+=.+\n)+$/)
      if (kind === 'spa') assert.doesNotMatch(envFileOf(settings(VALUES)), /the secret/)
    })

    if (kind === 'api' || address === '') continue
    test(`for ${name} propose addresses that can be registered and are used`, () => {
      for (const base of [address, `${address}/`, 'https://app.example.com']) {
        const { redirectUris, postLogoutRedirectUris } = proposedUris(FRAMEWORKS[name], base)
        assert.equal(redirectUris.length, 1)
        for (const uri of [...redirectUris, ...postLogoutRedirectUris]) {
          const rules: RedirectRules = { applicationType: TYPES[kind], developmentMode: false }
          assert.deepEqual([redirectUriProblem(uri, false), unusedBecause(uri, rules)], [undefined, undefined], uri)
        }
        assert.equal(likelyFramework(kind, redirectUris[0] ?? '', name), name)
      }
    })
  }

  test('offer for each kind of application at least one framework', () => {
    for (const kind of ['web', 'spa', 'native', 'api'] as const) assert.notEqual(frameworksOf(kind).length, 0)
  })

  for (const file of globSync('*/**/*.{js,jsx}', { cwd: folder })) {
    test(`in JavaScript can be read: ${file}`, async () => {
      await transformWithOxc(source(file), join(folder, file), { lang: file.endsWith('x') ? 'jsx' : 'js' })
    })
  }

  test('for Vue can be compiled', async () => {
    const require = createRequire(import.meta.url)
    const { parse, compileScript, compileTemplate } = require('vue/compiler-sfc')
    const { descriptor, errors } = parse(source('vue/App.vue'))
    assert.deepEqual(errors, [])
    compileScript(descriptor, { id: 'app' })
    const template = { source: descriptor.template.content, filename: 'App.vue', id: 'app' }
    assert.deepEqual(compileTemplate(template).errors, [])
  })

  test('for Python can be compiled', { skip: without('python3') }, () => {
    const check = 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])'
    run('python3', '-c', check, join(folder, 'python/app.py'))
  })

  test('for Go can be read, and are formatted', { skip: without('gofmt') }, () => {
    const { status, stdout, stderr } = spawnSync('gofmt', ['-e', '-l', join(folder, 'go/main.go')], {
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
  })

  test('for Java can be read', { skip: without('javac') }, () => {
    const temporary = mkdtempSync(join(tmpdir(), 'signet-java-'))
    try {
      writeFileSync(join(temporary, 'Parse.java'), JAVA_PARSER)
      const files = globSync('spring/*.java', { cwd: folder }).map((file) => join(folder, file))
      run('java', join(temporary, 'Parse.java'), ...files)
    } finally {
      rmSync(temporary, { recursive: true })
    }
  })

  test('for Spring have settings in YAML of two spaces and no tabs', () => {
    for (const line of source('spring/application.yml').trimEnd().split('\n'))
      assert.match(line, /^(?: {2})*[a-z0-9-]+:(?: .+)?$/)
  })

  test('for .NET are C#', { skip: without('dotnet') }, () => {
    // Without its packages it cannot be built; the formatter reads it.
    run('dotnet', 'format', 'whitespace', '--folder', '--verify-no-changes', join(folder, 'dotnet'))
  })
})
