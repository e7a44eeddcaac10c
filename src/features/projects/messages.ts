/** Converts projects, roles and grants to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type GrantedProjectSchema,
  ProjectGrantState as ProjectGrantStateV1,
  type ProjectSchema as ProjectSchemaV1,
  ProjectState as ProjectStateV1,
  type Project as ProjectV1,
  type RoleSchema,
} from '../../../contract/gen/signet/project/v1/project_pb.ts'
import {
  type AgentAccess,
  GrantedProjectState,
  type Project,
  type ProjectGrantSchema,
  ProjectGrantState,
  type ProjectRoleSchema,
  type ProjectSchema,
  ProjectState,
} from '../../../contract/gen/signet/project/v2/project_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import { mapped, same, words } from '../../module/mapped.ts'
import type { Document } from '../../store/index.ts'
import type { LivingProject } from './decisions/project.ts'
import type { LivingProjectGrant } from './decisions/project-grant.ts'
import type { ExistingRole, ProjectRole } from './decisions/project-role.ts'
import type { PrivateLabeling, ProjectSettings } from './events.ts'
import { organizationNames, projectsById } from './names.ts'

type AboutAgents = 'allowsDocumentClients' | 'allowsRegisteredClients' | 'allowsDelegation'
type Known = Omit<ProjectSettings, AboutAgents>

/** The numbers are the same in both versions. */
const labeling = words(
  { unspecified: 0, project_organization: 1, user_organization: 2 } as const satisfies Record<PrivateLabeling, number>,
  'unspecified',
)

const SHARED = {
  name: ['name', same],
  projectRoleAssertion: ['projectRoleAssertion', same],
  privateLabeling: ['privateLabelingSetting', labeling],
} as const

export const settingsV1 = mapped<Known, ProjectV1, 'id' | 'details' | 'state'>()({
  ...SHARED,
  authorizationRequired: ['projectRoleCheck', same],
  projectAccessRequired: ['hasProjectCheck', same],
})

type Around =
  | 'projectId'
  | 'organizationId'
  | 'creationDate'
  | 'changeDate'
  | 'state'
  | 'agentAccess'
  | `granted${string}`

const settingsV2 = mapped<Known, Project, Around>()({
  ...SHARED,
  authorizationRequired: ['authorizationRequired', same],
  projectAccessRequired: ['projectAccessRequired', same],
})

const agents = mapped<Required<Pick<ProjectSettings, AboutAgents>>, AgentAccess>()({
  allowsDocumentClients: ['clientIdMetadataDocuments', same],
  allowsRegisteredClients: ['dynamicRegistration', same],
  allowsDelegation: ['onBehalfOf', same],
})

/** What a v2 request says of a project; nothing of what it does not have. */
export function settingsOfV2({
  agentAccess,
  ...message
}: Parameters<typeof settingsV2.read>[0] & { readonly agentAccess?: AgentAccess | undefined }): ProjectSettings {
  return { ...settingsV2.read(message), ...(agentAccess && agents.read(agentAccess)) }
}

/** A project in the v1 services. */
export function projectV1(document: Document<LivingProject>): MessageInitShape<typeof ProjectSchemaV1> {
  const { state } = document
  return {
    id: document.id,
    details: detailsV1(document),
    state: state.status === 'active' ? ProjectStateV1.ACTIVE : ProjectStateV1.INACTIVE,
    ...settingsV1.show(state),
  }
}

/** A project in the v2 services. */
export function projectV2(document: Document<LivingProject>): MessageInitShape<typeof ProjectSchema> {
  const { id, owner, state, createdAt, changedAt } = document
  return {
    projectId: id,
    organizationId: owner,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    state: state.status === 'active' ? ProjectState.ACTIVE : ProjectState.INACTIVE,
    ...settingsV2.show(state),
    agentAccess: agents.show({
      allowsDocumentClients: false,
      allowsRegisteredClients: false,
      allowsDelegation: false,
      ...state,
    }),
  }
}

// A role can be removed and added again. Its creation date is the last addition.
function begun(document: Document<ProjectRole>): Document<ProjectRole> {
  return document.state.status === 'existing' ? { ...document, createdAt: document.state.addedAt } : document
}

/** Details of a role that was just written. */
export function roleDetails(document: Document<ProjectRole>) {
  return detailsV1(begun(document))
}

/** A role in the v1 services. */
export function roleV1(document: Document<ExistingRole>): MessageInitShape<typeof RoleSchema> {
  const { key, displayName, group } = document.state
  return { key, details: roleDetails(document), displayName, group }
}

/** A role in the v2 services. */
export function roleV2({ state, changedAt }: Document<ExistingRole>): MessageInitShape<typeof ProjectRoleSchema> {
  return {
    projectId: state.projectId,
    key: state.key,
    creationDate: timestampFromMs(state.addedAt),
    changeDate: timestampFromMs(changedAt),
    displayName: state.displayName,
    group: state.group,
  }
}

/**
 * The names that grants are shown with. Anybody can grant a project to any organization, so the name of the granted one is
 * only for callers who may read it; the one that owns the project chose to be known.
 */
async function namesFor(app: App, call: Call, grants: readonly Document<LivingProjectGrant>[]) {
  const granted = grants.map(({ state }) => state.grantedOrganizationId)
  const readable = granted.filter((id) => id === call.caller.organizationId || call.may('org.read', id))
  const [organizations, projects] = await Promise.all([
    organizationNames(app, [...grants.map(({ owner }) => owner), ...readable]),
    projectsById(
      app,
      grants.map(({ state }) => state.projectId),
    ),
  ])
  return { organizations, projects }
}

/** Grants in the v1 services. */
export async function grantsV1(
  app: App,
  call: Call,
  grants: readonly Document<LivingProjectGrant>[],
): Promise<MessageInitShape<typeof GrantedProjectSchema>[]> {
  const { organizations, projects } = await namesFor(app, call, grants)
  return grants.map((grant) => ({
    grantId: grant.id,
    grantedOrgId: grant.state.grantedOrganizationId,
    grantedOrgName: organizations.get(grant.state.grantedOrganizationId) ?? '',
    grantedRoleKeys: [...grant.state.roleKeys],
    state: grant.state.status === 'active' ? ProjectGrantStateV1.ACTIVE : ProjectGrantStateV1.INACTIVE,
    projectId: grant.state.projectId,
    projectName: projects.get(grant.state.projectId)?.state.name ?? '',
    projectOwnerId: grant.owner,
    projectOwnerName: organizations.get(grant.owner) ?? '',
    details: detailsV1(grant),
  }))
}

/** Grants in the v2 services. */
export async function grantsV2(
  app: App,
  call: Call,
  grants: readonly Document<LivingProjectGrant>[],
): Promise<MessageInitShape<typeof ProjectGrantSchema>[]> {
  const { organizations, projects } = await namesFor(app, call, grants)
  return grants.map(({ owner, state, createdAt, changedAt }) => ({
    organizationId: owner,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    grantedOrganizationId: state.grantedOrganizationId,
    grantedOrganizationName: organizations.get(state.grantedOrganizationId) ?? '',
    grantedRoleKeys: [...state.roleKeys],
    projectId: state.projectId,
    projectName: projects.get(state.projectId)?.state.name ?? '',
    state: state.status === 'active' ? ProjectGrantState.ACTIVE : ProjectGrantState.INACTIVE,
  }))
}

/** Granted projects as entries of the v2 list of projects. */
export async function grantedProjectsV2(
  app: App,
  call: Call,
  grants: readonly Document<LivingProjectGrant>[],
): Promise<MessageInitShape<typeof ProjectSchema>[]> {
  const { organizations, projects } = await namesFor(app, call, grants)
  return grants.flatMap(({ state, createdAt, changedAt }) => {
    const project = projects.get(state.projectId)
    if (project === undefined) return []
    const granted = {
      creationDate: timestampFromMs(createdAt),
      changeDate: timestampFromMs(changedAt),
      grantedOrganizationId: state.grantedOrganizationId,
      grantedOrganizationName: organizations.get(state.grantedOrganizationId) ?? '',
      grantedState: state.status === 'active' ? GrantedProjectState.ACTIVE : GrantedProjectState.INACTIVE,
    }
    return [{ ...projectV2(project), ...granted }]
  })
}
