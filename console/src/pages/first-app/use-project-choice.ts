/** The project that a new app becomes part of: one that there is, or one that is made on the way. */
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import {
  ProjectFieldName,
  ProjectOrganizationIDFilter_Type,
} from '../../../../contract/gen/signet/project/v2/query_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useTargetOrganization } from '../../access/organization.tsx'

/** The value of a project that is still to be made. */
export const NEW = ''

/** More than these are not offered; the page of a project creates applications too. */
const MOST = 200

export interface ProjectChoice {
  /** Undefined until it is known which there are. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | undefined
  /** Makes the project where it must be made; answers its place. */
  place(value: string): Promise<{ readonly organizationId: string; readonly projectId: string }>
}

/** The first option is what most people want: the project of this name, or else a new one. */
export function useProjectChoice(name: string, nameOfNew: string): ProjectChoice {
  const organizationId = useTargetOrganization()
  const { can } = usePermissions()
  const create = useMutation(ProjectService.method.createProject)
  const type = ProjectOrganizationIDFilter_Type.OWNED
  const { data, refetch } = useQuery(ProjectService.method.listProjects, {
    pagination: { limit: MOST, asc: true },
    sortingColumn: ProjectFieldName.NAME,
    filters: [{ filter: { case: 'organizationIdFilter', value: { organizationId, type } } }],
  })
  const usable = data?.projects.filter(({ projectId }) => can('project.app.write', { organizationId, projectId }))
  const same = usable?.find((one) => one.name === name)
  const mayCreate = same === undefined && can('project.create', { organizationId })
  return {
    options: usable && [
      ...(mayCreate ? [{ value: NEW, label: nameOfNew }] : []),
      ...[...(same ? [same] : []), ...usable.filter((one) => one !== same)].map((one) => ({
        value: one.projectId,
        label: one.name,
      })),
    ],
    async place(value) {
      if (value !== NEW) return { organizationId, projectId: value }
      const { projectId } = await create.mutateAsync({ organizationId, name })
      // If the application is refused, the next try finds the project.
      await refetch()
      return { organizationId, projectId }
    },
  }
}
