/** To whom streams and transmitters belong, and who may change them. */
import { usePermissions } from '../../access/me.tsx'

/** Whether the user may change what belongs to an organization, or to the instance when it is empty. */
export function useMayWrite(): (organizationId: string) => boolean {
  const { can } = usePermissions()
  return (organizationId) => (organizationId === '' ? can('iam.write') : can('signal.write', { organizationId }))
}
