/** The names of organizations and projects by ID, for lists that show them. One read each. */
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { isLivingProject, type LivingProject } from './decisions/project.ts'
import { projects } from './documents.ts'

/** The names of organizations by ID. */
export async function organizationNames(app: App, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const where = { field: 'id', in: distinct } as const
  const { documents } = await app.store.find(organizations, { where, orderBy: 'id', limit: distinct.length })
  return new Map(documents.flatMap(({ id, state }) => (isLivingOrganization(state) ? [[id, state.name] as const] : [])))
}

/** The projects with these IDs. */
export async function projectsById(
  app: App,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Document<LivingProject>>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const where = { field: 'id', in: distinct } as const
  const { documents } = await app.store.find(projects, { where, orderBy: 'id', limit: distinct.length })
  return new Map(
    documents.flatMap((document) =>
      isLivingProject(document.state) ? [[document.id, document as Document<LivingProject>] as const] : [],
    ),
  )
}
