/** What users are called on lists and pages. */
import type { User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'

/** The display name of a person, the name of a machine. */
export function displayNameOf({ type, preferredLoginName, username }: User): string {
  if (type.case === 'machine') return type.value.name
  return type.value?.profile?.displayName || preferredLoginName || username
}

/** The address of a person, else the user name. */
export function contactOf({ type, username }: User): string {
  return (type.case === 'human' ? type.value.email?.email : undefined) || username
}
