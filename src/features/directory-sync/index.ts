/**
 * Directory sync: what administrators of an organization see of the directories that feed users and groups in by SCIM. The
 * requests themselves are served by `src/scim`.
 */
import { module } from '../../module/module.ts'
import { flushDirectoryRequests, RECORD, removeRequestsOf } from './records.ts'
import { directorySyncMethods } from './rpc.ts'

export const directorySyncModule = module({
  name: 'directory-sync',
  methods: directorySyncMethods,
  jobs: () => [{ handlers: {}, stays: [RECORD] }],
  whenOrganizationRemoved: removeRequestsOf,
  close: flushDirectoryRequests,
})

export { type DirectoryRequest, recordDirectoryRequest } from './records.ts'
