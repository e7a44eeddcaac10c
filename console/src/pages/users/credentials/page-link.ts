/** Links to the hosted pages, as the emails have them, for administrators who pass a link on themselves. */
import { environment } from '../../../session/environment.ts'

/** The link to a page that accepts a code. */
export function pageLink(path: string, userId: string, orgId: string, code: string, codeId?: string): string {
  const query = new URLSearchParams({ userId, ...(codeId !== undefined && { codeId }), code, orgId })
  return `${new URL(environment().issuer).origin}${path}?${query}`
}
