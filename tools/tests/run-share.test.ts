/** Processes of tests that pass, fail, end too early and never end. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { PLACES, runShare } from './run-share.ts'

const HEAD = `import assert from 'node:assert/strict'
import { suite, test } from 'node:test'\n`

async function run(
  context: TestContext,
  contents: Readonly<Record<string, string>>,
  longestSilenceMs = 600_000,
  longestAfterTestsMs = 30_000,
  load = 0,
) {
  const root = await mkdtemp(join(tmpdir(), 'signet-runner-'))
  context.after(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(contents)) await writeFile(join(root, name), HEAD + text)
  const share = { files: Object.keys(contents), engine: undefined }
  const environment = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const times = { longestSilenceMs, longestAfterTestsMs }
  return runShare(share, {
    root,
    folder: root,
    environment,
    options: [],
    ...times,
    load: () => load,
    isDetailed: false,
  })
}

suite('a process of tests', () => {
  test('counts what passed and what was skipped, file by file', async (context) => {
    const { files, failures, skips } = await run(context, {
      'one.test.mjs': `suite('sums', () => { test('adds', () => {}); test('not here', { skip: 'no sun' }, () => {}) })`,
      'two.test.mjs': `test('two', () => {})\ntest('three', () => {})`,
    })
    assert.deepEqual(
      files.map(({ milliseconds: _, ...rest }) => rest),
      [
        { file: 'one.test.mjs', passed: 1, failed: 0, skipped: 1 },
        { file: 'two.test.mjs', passed: 2, failed: 0, skipped: 0 },
      ],
    )
    assert.deepEqual(failures, [])
    assert.deepEqual([...skips], [['no sun', 1]])
  })

  test('says once where a test failed, inside what, and why', async (context) => {
    const { files, failures } = await run(context, {
      'one.test.mjs': `suite('sums', () => { test('adds', () => assert.equal(1 + 1, 3)) })`,
    })
    assert.equal(files[0]?.failed, 1)
    assert.equal(failures.length, 1)
    assert.equal(failures[0]?.where, 'one.test.mjs:3')
    assert.equal(failures[0]?.name, 'sums › adds')
    assert.match(failures[0]?.reason ?? '', /2 !== 3/)
  })

  test('has failed when its file cannot be loaded, and when it ends before its tests', async (context) => {
    for (const text of [`throw new Error('no file')`, `test('ends', () => process.exit(0))`]) {
      const { failures } = await run(context, { 'one.test.mjs': text })
      assert.equal(failures.length, 1, text)
    }
  })

  test('has more time to end where others use the processors', async (context) => {
    // Pause: what is tested is how long a process may take.
    const file = { 'one.test.mjs': `test('ends later', () => void setTimeout(() => {}, 3000))` }
    const [quiet, busy] = [
      await run(context, file, 600_000, 300),
      await run(context, file, 600_000, 300, 1000 * PLACES),
    ]
    assert.deepEqual([quiet.failures.length, busy.failures.length], [1, 0])
  })

  test('is stopped when a test makes no progress, with everything it started, and names it', async (context) => {
    const { failures, output } = await run(
      context,
      {
        'one.test.mjs': `import { spawn } from 'node:child_process'
suite('those that wait', () => {
  test('has ended', () => {})
  test('waits in vain', () => {
    process.on('SIGTERM', () => {})
    console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid)
    return new Promise(() => setInterval(() => {}, 1000))
  })
})`,
      },
      6_000,
    )
    assert.equal(failures.length, 1)
    assert.equal(failures[0]?.where, 'one.test.mjs')
    assert.equal(failures[0]?.name, 'those that wait › waits in vain')
    assert.match(failures[0]?.reason ?? '', /without progress: no test began or ended/)
    assert.throws(() => process.kill(Number(output.trim()), 0), { code: 'ESRCH' })
  })

  test('is stopped soon after its last test when something was left open, which is named with its file', async (context) => {
    const { files, failures } = await run(
      context,
      {
        'one.test.mjs': `test('ends', () => {})`,
        'two.test.mjs': `import { createServer } from 'node:net'
import { once } from 'node:events'
test('listens', async () => { const server = createServer().listen(0, '127.0.0.1'); await once(server, 'listening') })`,
        'three.test.mjs': `test('repeats', () => { setInterval(() => {}, 1000) })`,
      },
      600_000,
      2_000,
    )
    assert.deepEqual(
      files.map(({ file, passed, failed }) => [file, passed, failed]),
      [
        ['one.test.mjs', 1, 0],
        ['two.test.mjs', 1, 1],
        ['three.test.mjs', 1, 1],
      ],
    )
    const [server, timer] = failures
    assert.equal(server?.where, 'two.test.mjs')
    assert.match(server?.reason ?? '', /within 2 s .*: a server on 127\.0\.0\.1:\d+, by two\.test\.mjs$/)
    assert.equal(timer?.where, 'three.test.mjs')
    assert.match(timer?.reason ?? '', /: a timer, by three\.test\.mjs$/)
  })

  test('may be silent for longer while a test is running', async (context) => {
    const { failures } = await run(
      context,
      // Pause: longer than the wait after the last test, by a test that runs.
      { 'one.test.mjs': `test('ends', () => {})\ntest('waits', () => new Promise((end) => setTimeout(end, 3_000)))` },
      600_000,
      1_000,
    )
    assert.deepEqual(failures, [])
  })
})
