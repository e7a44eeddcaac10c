/** The rows that frameworks-run.test.ts leaves out, for what is installed here: `npm run test:all` has them. */
import { suite } from 'node:test'
import { FRAMEWORK_NAMES } from '../../packages/create/frameworks/index.ts'
import { EVERY_DAY, testRows } from './tested-rows.ts'

suite('the printed lines of the further frameworks', { timeout: 3_600_000 }, () => {
  testRows(FRAMEWORK_NAMES.filter((name) => !EVERY_DAY.includes(name)))
})
