/** Whether others than the directory may change what it manages; by default they may not. */
import type { Reader, Work } from '../../store/index.ts'
import { findOrganization } from './documents.ts'

/** Whether an organization allows others than the directory to change what it manages. Inside a work it is guarded. */
export async function allowsManagedChanges(reader: Reader, organizationId: string): Promise<boolean> {
  return (await findOrganization(reader, organizationId))?.state.allowsManagedChanges === true
}

/** Whether a write may change what a directory manages: the directory itself, what is brought from another product, and everybody where it is allowed. */
export async function mayChangeManaged(work: Work, organizationId: string): Promise<boolean> {
  const { directory, arrival } = work.origin
  return directory !== undefined || arrival !== undefined || (await allowsManagedChanges(work, organizationId))
}
