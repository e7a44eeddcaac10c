/** Adds the address of an API to the resources of its project: what access tokens for it are issued for. */
import { createQueryOptions, useMutation, useTransport } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'

const { listProjectResources, setProjectResources } = ProjectService.method

/** More than a project can have. */
const MOST = 20

/** Where the answer names the address, as the field of the form: it is added at the end of the list. */
export const RESOURCE_FIELDS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: MOST }, (_, index) => [`resources[${index}].uri`, 'address']),
)

/** Adds it, unless the project has it. */
export function useAddResource(): (projectId: string, uri: string) => Promise<void> {
  const set = useMutation(setProjectResources)
  const transport = useTransport()
  const client = useQueryClient()
  return async (projectId, uri) => {
    // Never from memory: the list is replaced as a whole.
    const query = createQueryOptions(listProjectResources, { projectId }, { transport })
    const { resources } = await client.fetchQuery({ ...query, staleTime: 0 })
    if (resources.some((one) => one.uri === uri)) return
    await set.mutateAsync({ projectId, resources: [...resources, { uri }] })
    await client.invalidateQueries({ queryKey: query.queryKey })
  }
}
