/**
 * The list of frameworks, packages/create/frameworks: each file is read by the compiler of its language where that is on this
 * machine. frameworks-run.test.ts runs the rows, and `test/e2e/first-app.test.ts` shows them in the console.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import {
  codeOf,
  envFileOf,
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  frameworksOf,
  likelyFramework,
  promptOf,
  proposedUris,
  runLineOf,
  settingsOf,
} from '../../packages/create/frameworks/index.ts'
import { type RedirectRules, redirectUriProblem, unusedBecause } from '../../src/features/applications/redirect-uris.ts'

const folder = fileURLToPath(new URL('../../packages/create/frameworks/', import.meta.url))
const VALUES = {
  issuer: 'http://localhost:8080',
  clientId: '123',
  clientSecret: 'the secret',
  audience: 'http://localhost:3002',
  redirectUri: 'http://localhost:3000/callback',
  postLogoutRedirectUri: 'http://localhost:3000/',
}
const TYPES = { web: 'web', spa: 'user_agent', native: 'native' } as const

function sourceOf(file: string): string {
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

suite('the frameworks', () => {
  test('are the folders of the list, with the files that they name and no others', () => {
    const rows = globSync('*/framework.ts', { cwd: folder }).map((file) => dirname(file))
    assert.deepEqual(rows.toSorted(), FRAMEWORK_NAMES.toSorted())
    const named = FRAMEWORK_NAMES.flatMap((name) => FRAMEWORKS[name].files.map((file) => `${name}/files/${file}`))
    const there = globSync('*/files/**/*.*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
    assert.deepEqual(named.toSorted(), there.toSorted())
  })

  test('of Node run in a browser, or by calls', () => {
    const left = FRAMEWORK_NAMES.filter(
      (name) => FRAMEWORKS[name].needs === 'node' && FRAMEWORKS[name].runs === 'not yet',
    )
    assert.deepEqual(left, [])
  })

  for (const name of FRAMEWORK_NAMES) {
    const { kind, files, address } = FRAMEWORKS[name]
    const source = (file: string) => sourceOf(`${name}/files/${file}`)
    const settings = settingsOf(FRAMEWORKS[name], VALUES, () => 'x')

    test(`for ${name} read no setting that they are not given`, () => {
      const given = Object.keys(settings)
      const code = files.map(source).join('\n')
      const read = [
        ...code.matchAll(
          /(?:process\.env\.|import\.meta\.env\.|os\.Getenv\("|os\.environ\[["']|settings\["|: \$\{)([A-Z][A-Z_]+)/g,
        ),
        ...[...code.matchAll(/const \{ ([A-Z_, ='0-9]+) \} = process\.env/g)].flatMap(([, list = '']) => [
          ...list.matchAll(/([A-Z_]{3,})(?!\s*=|[A-Z_])/g),
        ]),
      ].map(([, setting = '']) => setting)
      const missing = read.filter((setting) => !given.includes(setting) && setting !== 'PORT')
      assert.deepEqual(missing, [])
      assert.match(envFileOf(settings), /^(?:[A-Z_]+=.+\n)+$/)
      if (kind === 'spa') assert.doesNotMatch(envFileOf(settings), /the secret/)
    })

    test(`for ${name} leave no placeholder in settings and lines`, () => {
      const texts = [...Object.values(settings), runLineOf(FRAMEWORKS[name], 'http://localhost:4000/callback')]
      assert.deepEqual(
        texts.filter((text) => /\{\w+\}/.test(text)),
        [],
      )
    })

    test(`for ${name} have a prompt with all files and settings, and no value of them`, () => {
      const shown = files.map((file) => ({ name: file, code: codeOf(source(file)) }))
      const values = { issuer: VALUES.issuer, redirectUri: VALUES.redirectUri }
      const prompt = promptOf(FRAMEWORKS[name], shown, values)
      for (const part of [...files, ...Object.keys(settings), ...shown.map(({ code }) => code)])
        assert.ok(prompt.includes(part), part)
      assert.doesNotMatch(prompt, /the secret|YOUR_CLIENT_SECRET/)
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

  for (const file of globSync('*/files/**/*.{js,jsx}', { cwd: folder })) {
    test(`in JavaScript can be read: ${file}`, async () => {
      await transformWithOxc(sourceOf(file), join(folder, file), { lang: 'jsx' })
    })
  }

  test('for Vue can be compiled', async () => {
    const require = createRequire(import.meta.url)
    const { parse, compileScript, compileTemplate } = require('vue/compiler-sfc')
    const { descriptor, errors } = parse(sourceOf('vue/files/src/App.vue'))
    assert.deepEqual(errors, [])
    compileScript(descriptor, { id: 'app' })
    const template = { source: descriptor.template.content, filename: 'App.vue', id: 'app' }
    assert.deepEqual(compileTemplate(template).errors, [])
  })

  test('for Python can be compiled', { skip: without('python3') }, () => {
    const check = 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])'
    for (const file of globSync('*/files/**/*.py', { cwd: folder })) run('python3', '-c', check, join(folder, file))
  })

  test('for Go can be read, and are formatted', { skip: without('gofmt') }, () => {
    const { status, stdout, stderr } = spawnSync('gofmt', ['-e', '-l', join(folder, 'go/files/main.go')], {
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
  })

  test('for Java can be read', { skip: without('javac') }, () => {
    const temporary = mkdtempSync(join(tmpdir(), 'signet-java-'))
    try {
      writeFileSync(join(temporary, 'Parse.java'), JAVA_PARSER)
      const files = globSync('spring/files/**/*.java', { cwd: folder }).map((file) => join(folder, file))
      run('java', join(temporary, 'Parse.java'), ...files)
    } finally {
      rmSync(temporary, { recursive: true })
    }
  })

  test('for Spring have settings in YAML of two spaces and no tabs', () => {
    for (const line of sourceOf('spring/files/src/main/resources/application.yml').trimEnd().split('\n'))
      assert.match(line, /^(?: {2})*(?:# .+|[a-z0-9-]+:(?: .+)?)$/)
  })

  test('for .NET are C#', { skip: without('dotnet') }, () => {
    // Without its packages it cannot be built; the formatter reads it.
    run('dotnet', 'format', 'whitespace', '--folder', '--verify-no-changes', join(folder, 'dotnet/files'))
  })
})
