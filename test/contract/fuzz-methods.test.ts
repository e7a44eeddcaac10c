/** Generated and mutated messages against every method of the real app. */
import { fuzzMethods } from '../../faults/network/fuzz.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(fuzzMethods)
