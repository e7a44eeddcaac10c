/** Six rows of Node, as their readers run them. The others are in further-frameworks-run.test.ts. */
import { suite } from 'node:test'
import { EVERY_DAY, testRows } from './tested-rows.ts'

suite('the printed lines of a framework', { timeout: 1_800_000 }, () => testRows(EVERY_DAY))
