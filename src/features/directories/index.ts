/** What directories manage: the marks that SCIM leaves on users and groups, and the end of them. */
import { module } from '../../module/module.ts'
import { directoryJobs } from './end-sync.ts'
import { managedUserMethods } from './rpc.ts'

export const directoriesModule = module({
  name: 'directories',
  methods: managedUserMethods,
  jobs: (app) => [directoryJobs(app)],
})
