/** The dry run of the command says what would become of everything, and leaves nothing. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fillSource } from '../../../faults/import/multiply.ts'
import { openTarget } from '../../../faults/import/target.ts'
import { readTemplate } from '../../../faults/import/template.ts'
import type { MoveSummary } from '../../../src/cli/import/report.ts'
import { engines } from '../../support/engines.ts'
import { peerDatabase } from './peer-database.ts'

for (const engine of engines) {
  suite(`a dry run on ${engine.name}`, () => {
    test('reports what the import then does, and changes nothing', async (t) => {
      await using cleanUp = new AsyncDisposableStack()
      const database = await peerDatabase()
      if (database === undefined) return t.skip('no PostgreSQL')
      cleanUp.defer(() => database.drop())
      const template = await readTemplate()
      await fillSource(database, template, { events: 1, say() {} })
      const target = await openTarget(engine.name, { url: database.url, masterKey: template.masterKey }, cleanUp)
      const run = async (words: readonly string[]) => {
        const command = await target.start(words)
        assert.equal(await command.ended, 0, command.stderr())
        return JSON.parse(command.stdout()) as MoveSummary
      }
      const tried = await run(['--dry-run'])
      assert.equal(tried.isDryRun, true)
      assert.equal((await target.contents()).size, 0)
      const done = await run([])
      assert.deepEqual([done.isDryRun, done.kinds, done.reasons], [false, tried.kinds, tried.reasons])
      assert.ok((await target.contents()).size > 50)
      const refused = await target.start(['--dry-run', '--follow'])
      assert.notEqual(await refused.ended, 0)
      assert.match(refused.stderr(), /--dry-run goes with neither/)
    })
  })
}
