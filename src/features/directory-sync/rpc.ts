/** The DirectorySyncService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { DirectorySyncService } from '../../../contract/gen/signet/directory_sync/v1/directory_sync_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { requireOrganization } from '../organizations/index.ts'
import { isLiving, shownName, users } from '../users/index.ts'
import { type DirectoryRequest, lastDirectoryRequests } from './records.ts'
import { directoryCounts, directoryTokens } from './status.ts'

/** Where directories reach the users of an organization. */
const SCIM_PATH = '/scim/v2'

/** The names of users, by ID. */
async function namesOf({ store }: App, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all([...new Set(ids)].map((id) => store.get(users, id)))
  return new Map(
    found.flatMap((user) => (user !== undefined && isLiving(user.state) ? [[user.id, shownName(user.state)]] : [])),
  )
}

function requestMessage(request: DirectoryRequest, names: ReadonlyMap<string, string>) {
  const { at, ...rest } = request
  return { ...rest, date: timestampFromMs(at), name: names.get(request.userId) ?? '' }
}

export function directorySyncMethods(app: App): readonly Method[] {
  return methods(DirectorySyncService, {
    async getDirectorySync({ organizationId }, call) {
      call.authorize(organizationId)
      const { state } = await requireOrganization(app, organizationId)
      const [requests, counts, tokens] = await Promise.all([
        lastDirectoryRequests(app, organizationId),
        directoryCounts(app, organizationId),
        directoryTokens(app, organizationId),
      ])
      const names = await namesOf(
        app,
        [...requests, ...tokens].flatMap(({ userId }) => (userId === '' ? [] : [userId])),
      )
      const [last] = requests
      return {
        organizationName: state.name,
        address: `${app.externalUrl}${SCIM_PATH}/${organizationId}`,
        tokens: tokens.map(({ id: tokenId, userId, creationDate, expirationDate, lastUsedDate }) => ({
          ...{ tokenId, userId, name: names.get(userId) ?? '', creationDate },
          ...(expirationDate && { expirationDate }),
          ...(lastUsedDate && { lastUsedDate }),
        })),
        users: BigInt(counts.users),
        groups: BigInt(counts.groups),
        ...(last && { lastRequestDate: timestampFromMs(last.at) }),
        requests: requests.map((request) => requestMessage(request, names)),
      }
    },
  })
}
