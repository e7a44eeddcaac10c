/** How the resources of a project are carried. They keep their IDs, so that tokens still name them. */
import { refused } from '../../kernel/refusal.ts'
import { declare, nothingElse } from '../../module/carried.ts'
import { findProject, projectRefusals } from '../projects/index.ts'
import type { Resources } from './decider.ts'
import { resources } from './documents.ts'
import { checkResources } from './handlers/set-resources.ts'
import { requireFree } from './own-uris.ts'

export const carriedResources = declare(resources, {
  as: 'resources',
  after: ['registered-client'],
  lives: (state: Resources): state is Resources => state.status === 'kept',
  describe: ({ status: _, ...kept }) => kept,
  async put({ app, work, id, draft: { resources: given, ...rest } }, before) {
    nothingElse(rest)
    if (before !== undefined) return
    checkResources(app, given)
    const project = await findProject(app, id, work)
    if (project === undefined) throw refused(projectRefusals, 'project.not_found')
    for (const { uri } of given) await requireFree(app, work, uri)
    await work.decide(resources, id, { type: 'set', resources: given }, project.owner)
  },
  remove: 'with its holder',
})
