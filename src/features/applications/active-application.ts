/** Whether an application can be used now: it is active, and so are its project and the organization of that. */
import type { Generations, Reopened, Reopening } from '../../kernel/generations.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { organizationEndings } from '../generations/index.ts'
import { activeProject, type LivingProject } from '../projects/index.ts'
import { currentAgent } from './agents/agent-clients.ts'
import { applications } from './documents.ts'
import { findApplicationByClientId } from './find-application.ts'
import type { Application, LivingApplication } from './state.ts'

/** An application that can be used now, with its project. */
export interface ActiveApplication {
  readonly application: Document<LivingApplication>
  readonly project: Document<LivingProject>
}

/** A caller who knows the project names it, so that both are read at once. */
interface ReadOptions {
  readonly reader?: Reader
  readonly projectId?: string
}

async function ifActive(
  app: App,
  found: Promise<Document<Application> | undefined>,
  { reader = app.store, projectId }: ReadOptions,
): Promise<ActiveApplication | undefined> {
  const [document, known] = await Promise.all([found, projectId && activeProject(app, projectId, reader)])
  if (document?.state.status !== 'active') return undefined
  const application = document as Document<LivingApplication>
  const own = application.state.projectId
  const project = known && known.id === own ? known : await activeProject(app, own, reader)
  if (project === undefined) return undefined
  const current = await currentAgent(app, application, project, reader)
  return current && { application: current, project }
}

/** The application with this ID, if it can be used now. Inside a work, what was read is guarded until the commit. */
export function activeApplication(
  app: App,
  id: string,
  options: ReadOptions = {},
): Promise<ActiveApplication | undefined> {
  return ifActive(app, (options.reader ?? app.store).get(applications, id), options)
}

/** The application with this client ID, if it can be used now. */
export function activeApplicationOfClient(
  app: App,
  clientId: string,
  reader: Reader = app.store,
): Promise<ActiveApplication | undefined> {
  return ifActive(app, findApplicationByClientId(app, clientId, reader), { reader })
}

/**
 * How often an application, its project and the organization of that were closed and reopened: what was opened for it before
 * ended with that.
 */
export async function reopeningsOf(
  reader: Reader,
  { application, project }: ActiveApplication,
): Promise<Generations<Reopening>> {
  const numberOf = ({ state }: Document<Reopened>) => state.reopenings ?? 0
  const itsOrganization = await organizationEndings(reader, project.owner)
  return { application: numberOf(application), itsProject: numberOf(project), itsOrganization }
}
