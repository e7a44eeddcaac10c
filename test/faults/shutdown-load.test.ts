/** A server that stops under load, and documents that are folded again from the log. */
import { shutdown } from '../../faults/server/shutdown.ts'
import { rebuild } from '../../faults/storage/rebuild.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(shutdown)
await testScenario(rebuild)
