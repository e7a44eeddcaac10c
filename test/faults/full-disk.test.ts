/** A disk without room, or one that becomes read-only: writes are refused as unavailable, and reads continue. */
import { fullDisk } from '../../faults/storage/full-disk.ts'
import { readOnlyDisk } from '../../faults/storage/read-only-disk.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(fullDisk)
await testScenario(readOnlyDisk)
