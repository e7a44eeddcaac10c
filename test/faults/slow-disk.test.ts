/** A disk that answers late stops writers, who wait for it, and no readers. One that fails is believed. */
import { failingDisk, slowDisk } from '../../faults/storage/slow-disk.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(slowDisk)
await testScenario(failingDisk)
