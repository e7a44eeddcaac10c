import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type EngineName, type Extent, engineOf, planTests } from './plan.ts'

const modules = Array.from({ length: 60 }, (_, index) => `src/features/one/test-${index}.test.ts`)
const withoutStore = 'src/kernel/text.test.ts'
const contract = 'test/contract/rest.test.ts'
const smoke = 'test/e2e/sign-in.test.ts'
const long = ['test/e2e/console.test.ts', 'test/faults/shutdown.test.ts', 'test/install/package.test.ts']
const files = [...modules, withoutStore, contract, smoke, ...long]

/** Every file with its engine, as often as it runs. */
function runs(extent: Extent, hasPostgres = true): readonly string[] {
  return planTests(files, { extent, hasPostgres })
    .flatMap(({ files, engine }) => files.map((file) => `${file} ${engine ?? 'both'}`))
    .sort()
}

suite('a plan of tests', () => {
  test('has in the short run every file but the long ones once, on the engine of its path', () => {
    const expected = files.filter((file) => !long.includes(file)).map((file) => `${file} ${engineOf(file)}`)
    assert.deepEqual(runs('short'), expected.sort())
  })

  test('uses each engine for a good part of the tree', () => {
    const count = (engine: EngineName) => modules.filter((file) => engineOf(file) === engine).length
    assert.ok(count('sqlite') > modules.length / 4)
    assert.ok(count('postgres') > modules.length / 4)
  })

  test('has in the long run what takes minutes, on both engines', () => {
    assert.deepEqual(runs('long'), long.map((file) => `${file} both`).sort())
  })

  test('begins the long run with what takes longest', () => {
    const [first] = planTests(files, { extent: 'long', hasPostgres: true })
    assert.deepEqual(first?.files, ['test/faults/shutdown.test.ts'])
  })

  test('has what installs from registries of other languages in a complete run alone', () => {
    const further = 'test/adoption/further-frameworks-run.test.ts'
    const isIn = (extent: Extent) =>
      planTests([...files, further], { extent, hasPostgres: true }).some((share) => share.files.includes(further))
    assert.deepEqual([isIn('short'), isIn('long'), isIn('all')], [false, false, true])
  })

  test('has in a complete run every file once, on both engines', () => {
    assert.deepEqual(runs('all'), files.map((file) => `${file} both`).sort())
  })

  test('has only SQLite where there is no PostgreSQL', () => {
    assert.ok(runs('short', false).every((run) => run.endsWith(' sqlite')))
  })
})
