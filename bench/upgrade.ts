/** A rolling upgrade on PostgreSQL with many documents: `node bench/upgrade.ts [DOCUMENTS] [CLIENTS] [REQUESTS]`. */

import { runUpgrade } from '../test/faults/rolling-upgrade.ts'
import { freshDatabase } from '../test/support/postgres.ts'

const [, , documents = '100000', clients = '16', requests = '10000'] = process.argv
const database = await freshDatabase()
if (database === undefined) throw new Error('There is no PostgreSQL on this machine.')
const figures = await runUpgrade({
  url: database.url,
  documents: Number(documents),
  clients: Number(clients),
  marks: true,
  requestsBeside: Number(requests),
  say: (line) => console.log(line),
})
const { refused, wrong, problems, longestMs, buildMs, removalMs, requestsWhileBuilding } = figures
console.table({
  documents: Number(documents),
  clients: Number(clients),
  requests: figures.requests,
  'requests while building': requestsWhileBuilding,
  refused: refused.length,
  'wrong reads': wrong.length,
  ...Object.fromEntries(
    Object.entries(longestMs).map(([phase, ms]) => [`longest wait (${phase}), ms`, Math.round(ms)]),
  ),
  'build, s': Number((buildMs / 1000).toFixed(1)),
  'removal of the old documents, s': Number((removalMs / 1000).toFixed(1)),
  'problems found by verify': problems.length,
})
for (const line of [...new Set(refused), ...wrong.slice(0, 10), ...problems.slice(0, 10)]) console.log(line)
await database.drop()
// The server of the test support ends with this process.
process.exit(refused.length + wrong.length + problems.length === 0 ? 0 : 1)
