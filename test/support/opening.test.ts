/** What was opened for a test is closed again when a later part cannot be opened. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import { engines, type TestEngine } from './engines.ts'
import { opening, openingOn } from './opening.ts'
import { openWorld, type World } from './world.ts'

const [engine] = engines
assert.ok(engine)

/** An engine that counts the databases that are open. */
function counting(): { readonly engine: TestEngine; readonly open: () => number } {
  let open = 0
  const counted: TestEngine = {
    name: engine?.name ?? 'sqlite',
    async open(contents) {
      const database = await (engine as TestEngine).open(contents)
      open += 1
      return {
        ...database,
        async dispose() {
          open -= 1
          await database.dispose()
        },
      }
    },
  }
  return { engine: counted, open: () => open }
}

const failure = new Error('this part cannot be opened')
const fail = (): never => {
  throw failure
}

suite('what a test opens', () => {
  test('is closed in reverse order when a later part fails, and the failure is what the test sees', async () => {
    const closed: string[] = []
    const opened = opening(async (stack) => {
      for (const name of ['database', 'server']) stack.defer(() => void closed.push(name))
      fail()
    })
    await assert.rejects(opened, failure)
    assert.deepEqual(closed, ['server', 'database'])
  })

  test('stays open when all parts could be opened', async () => {
    let isClosed = false
    const world = Promise.resolve({
      dispose: async () => {
        isClosed = true
      },
    })
    assert.equal(await openingOn(world, async () => 'all'), 'all')
    assert.equal(isClosed, false)
  })

  for (const [name, options] of [
    ['the first start', { clock: fail }],
    ['the organizations', { organizations: ['x'.repeat(100_000)] }],
    ['the configuration', { fetchOutside: undefined, config: new Proxy({}, { ownKeys: fail }) }],
  ] as const) {
    test(`has no database left when ${name} of a world fails`, async () => {
      const { engine: counted, open } = counting()
      await assert.rejects(openWorld({ engine: counted, ...(options as object) }))
      assert.equal(open(), 0)
    })
  }

  test('has no database and no files left when the part of a world fails', async () => {
    const { engine: counted, open } = counting()
    let folder = ''
    const given = async ({ dataDir }: World) => {
      folder = dataDir
      return fail()
    }
    await assert.rejects(openWorld({ engine: counted }, { given }), failure)
    assert.equal(open(), 0)
    assert.ok(folder !== '' && !existsSync(folder))
  })
})
