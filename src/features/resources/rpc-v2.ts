/** The methods of the ProjectService about resources. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { projectForCaller } from '../projects/index.ts'
import { resources } from './documents.ts'
import { setResources } from './handlers/set-resources.ts'

export function resourceMethods(app: App): readonly Method[] {
  return methods(ProjectService, {
    async listProjectResources({ projectId }, call) {
      await projectForCaller(app, call, projectId)
      const found = (await app.store.get(resources, projectId))?.state.resources ?? []
      return {
        resources: found.map(({ uri, scopes, isDefault, types = [] }) => ({
          uri,
          scopes: scopes.map(({ key, description }) => ({ key, description })),
          isDefault,
          authorizationDetailsTypes: types.map(({ type, description }) => ({ type, description })),
        })),
      }
    },
    async setProjectResources({ projectId, resources: given }, call) {
      const project = await projectForCaller(app, call, projectId)
      const fresh = given.map(({ uri, scopes, isDefault, authorizationDetailsTypes: types }) => ({
        uri,
        scopes: scopes.map(({ key, description }) => ({ key, description })),
        isDefault,
        ...(types.length > 0 && { types: types.map(({ type, description }) => ({ type, description })) }),
      }))
      const { value } = await setResources(app, call, projectId, fresh)
      // A project that never had any has not changed either.
      return { changeDate: timestampFromMs(value.revision > 0 ? value.changedAt : project.changedAt) }
    },
  })
}
