/**
 * Onboarding: the first start of an instance with its first administrators, and adding organizations with theirs. It is
 * late in the list of modules because it depends on users, members and credentials.
 */
import { module } from '../../module/module.ts'
import { carriedOrganizations } from './carried.ts'
import { onboardingMethods } from './rpc.ts'

export const onboardingModule = module({
  name: 'onboarding',
  kinds: [carriedOrganizations],
  methods: onboardingMethods,
})

export { SETUP_LINK_FILE } from '../instances/index.ts'
export { ADMIN_TOKEN_FILE, awaitsAdministrator, reissueAdminToken } from './admin-token.ts'
export type { OrganizationDraft } from './carried.ts'
export { firstStart } from './handlers/first-start.ts'
export { type Recovery, recoverAdministrator } from './handlers/recover-administrator.ts'
export { openInboxKey } from './inbox-key.ts'
