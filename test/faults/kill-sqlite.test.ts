/** `kill -9` while eight clients write to SQLite: what was acknowledged is there after the restart, once, in order. */
import { kill } from '../../faults/storage/kill.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(kill)
