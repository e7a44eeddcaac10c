/**
 * A process that gives out ids and writes them, as 64-bit numbers, to a file.
 * Arguments: `sqlite` or `postgres`, where the database is, how many ids, the file, and `leased`, or `careless` to use
 * node number 0 without asking.
 */
import { writeFileSync } from 'node:fs'
import { nodeLeases, openNodeIds } from '../../src/features/node-leases/index.ts'
import { openIds } from '../../src/kernel/id.ts'
import { instant, systemClock } from '../../src/kernel/instant.ts'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'

const [engine, place = '', count, file = '', care] = process.argv.slice(2)

const opened = engine === 'postgres' ? await openPostgres({ url: place }) : await openSqlite({ file: place })
const store = await openStore(opened, [nodeLeases])
const leased = await openNodeIds({ store })
const range = { node: 0, from: instant(0), until: instant(Number.MAX_SAFE_INTEGER), clock: systemClock }
const careless = openIds(range)
const next = care === 'leased' ? leased.newId : () => careless.next() ?? ''

process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))
const ids = new BigUint64Array(Number(count))
for (let at = 0; at < ids.length; at++) ids[at] = BigInt(next())
writeFileSync(file, ids)
await leased.close()
await store.close()
process.disconnect?.()
