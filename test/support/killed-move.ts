/** A process that moves many users into a database, to be killed: `node killed-move.ts <how many>`. It says how far it is. */

import { runMove } from '../../src/cli/import/move.ts'
import { withTarget } from '../../src/cli/import/target.ts'
import { readConfig } from '../../src/config/index.ts'
import { humanDraft, machineDraft, organizationDraft } from './drafts.ts'

const { config, problems } = readConfig()
if (config === undefined) throw new Error(problems.join(' '))
const count = Number(process.argv[2])

/** As many users as asked for, each with a machine. */
export async function* manyDrafts(many: number) {
  yield organizationDraft()
  for (let index = 0; index < many; index++) {
    yield humanDraft({ id: `3${String(index).padStart(16, '0')}`, userName: `human-${index}` })
    if (index % 1000 === 0) process.stdout.write(`${index}\n`)
  }
  for (let index = 0; index < many; index++) {
    yield machineDraft({ id: `4${String(index).padStart(16, '0')}`, userName: `machine-${index}` })
    if (index % 1000 === 0) process.stdout.write(`${many + index}\n`)
  }
}

const summary = await withTarget(config, 'http://localhost:8080', false, (app) =>
  runMove(app, { name: 'elsewhere', read: () => manyDrafts(count) }, { isQuiet: true }),
)
const { kinds, seconds, perSecond } = summary
process.stdout.write(`${JSON.stringify({ kinds, seconds, perSecond, memory: process.resourceUsage().maxRSS })}\n`)
