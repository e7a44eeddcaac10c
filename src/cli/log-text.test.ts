/** Log lines as people read them. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatLogLine } from './log-text.ts'

const TIME = '2026-01-02T03:04:05.678Z'

function line(members: object): string {
  return `${JSON.stringify({ level: 'info', time: TIME, pid: 1, ...members })}\n`
}

suite('the log on a terminal', () => {
  test('a line has time, level, message and members', () => {
    const text = formatLogLine(line({ method: 'a.B/C', code: 0, text: 'two words', msg: 'request' }), false)
    assert.match(text, /^\d\d:\d\d:05\.678 INFO {2}request method=a\.B\/C code=0 text="two words"\n$/)
  })

  test('an error has its stack below, and what caused it', () => {
    const cause = { type: 'Error', message: 'down', stack: 'Error: down\n    at b.ts:2' }
    const error = { type: 'Error', message: 'oh', stack: 'Error: oh\n    at a.ts:1', cause }
    const [first, ...others] = formatLogLine(line({ level: 'error', error, msg: 'failed' }), false).split('\n')
    assert.match(first ?? '', / ERROR failed$/)
    assert.deepEqual(others, [
      '    Error: oh',
      '        at a.ts:1',
      '  caused by',
      '    Error: down',
      '        at b.ts:2',
      '',
    ])
  })

  test('only the level has a color, and nothing that is logged can change the terminal', () => {
    const evil = '\u001b[2J\u009b31m\r'
    const text = formatLogLine(line({ level: 'warn', client: evil, msg: evil }), true)
    assert.equal(text.split('\u001b').length - 1, 2)
    assert.ok(!/[\u0080-\u009f\r]/.test(text))
  })
})
