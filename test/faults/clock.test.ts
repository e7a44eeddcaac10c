/** The wall clock of a running server jumps, and nothing else does. */
import { clockChange } from '../../faults/server/clock.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(clockChange)
