/** Whose settings a page shows: those of the instance, or those of the organization that is chosen in the header. */
import { useMe, usePermissions } from './me.tsx'
import { useOrganization } from './organization.tsx'

export interface SettingsOwner {
  /** Undefined: the instance. */
  readonly organizationId: string | undefined
  readonly mayWrite: boolean
  /** Whether the user may go back to the settings of the instance. */
  readonly mayReset: boolean
}

/** With all organizations chosen it is the instance, for those who may read its settings. */
export function useSettingsOwner(): SettingsOwner {
  const { organizationId } = useOrganization()
  const me = useMe()
  const { can } = usePermissions()
  if (organizationId === undefined && can('iam.policy.read')) {
    return { organizationId: undefined, mayWrite: can('iam.policy.write'), mayReset: can('iam.policy.delete') }
  }
  const place = { organizationId: organizationId ?? me.organizationId }
  return { ...place, mayWrite: can('policy.write', place), mayReset: can('policy.delete', place) }
}
