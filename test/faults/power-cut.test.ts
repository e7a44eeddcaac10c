/** A power cut while clients write to SQLite: what was acknowledged had reached the disk. */
import { powerCut } from '../../faults/storage/power-cut.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(powerCut)
