/** `kill -9` while a ZITADEL moves in and is followed: everything is there once. */
import { followImport } from '../../faults/import/follow.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(followImport)
