/** Placeholder until the module is merged. */
import type { App } from '../../access/app.ts'
export async function rolesOfUser(
  _app: App,
  _userId: string,
  _projectIds: readonly string[],
): Promise<readonly { projectId: string; roleKey: string; organizationId: string }[]> {
  return []
}
export async function hasAuthorization(_app: App, _userId: string, _projectId: string): Promise<boolean> {
  return true
}
export async function hasProjectAccess(_app: App, _organizationId: string, _project: unknown): Promise<boolean> {
  return true
}
