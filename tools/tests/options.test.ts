/** What may follow `npm test --`. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readOptions } from './options.ts'

suite('the options of npm test', () => {
  test('are words, numbers and options of node', () => {
    const given = ['grants', '--repeat', '10', '--beside=4', '--cores', '1', '--test-name-pattern=token']
    assert.deepEqual(readOptions(given), {
      words: ['grants'],
      extent: 'all',
      repeat: 10,
      beside: 4,
      cores: 1,
      ofNode: ['--test-name-pattern=token'],
    })
    assert.equal(readOptions(['--long']).extent, 'long')
    assert.equal(readOptions([]).extent, 'short')
  })

  test('are named when they are not known', () => {
    for (const wrong of ['--repat', '--long=1', '-x']) {
      assert.throws(() => readOptions([wrong]), { message: `npm test has no option ${wrong}.` })
    }
  })

  test('are refused with the name of the option when their number is none', () => {
    for (const wrong of [['--repeat'], ['--repeat', '0'], ['--beside=many'], ['--cores', '1.5']]) {
      assert.throws(() => readOptions(wrong), /^Error: --(repeat|beside|cores) needs a number from 1 to 9999/)
    }
  })
})
