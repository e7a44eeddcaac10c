/** Resources of projects, and tokens for them. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import type { OpenIdWorld } from './openid-world.ts'

export const MCP = 'https://mcp.example.com/mcp'
export const FILES = 'https://files.example.com/'

const v2 = ProjectService.method

/** A resource with two scopes. */
export function resource(
  uri: string,
  more: { readonly isDefault?: boolean; readonly scopes?: readonly string[] } = {},
) {
  const { isDefault = false, scopes = ['tools:read', 'tools:write'] } = more
  return { uri, isDefault, scopes: scopes.map((key) => ({ key, description: `Use ${key}` })) }
}

/** Gives a project these resources and no others. */
export function setResources(
  world: OpenIdWorld,
  projectId: string,
  ...resources: readonly ReturnType<typeof resource>[]
) {
  return world.call(v2.setProjectResources, { projectId, resources: [...resources] }, world.owner)
}

/** The header and the claims of a signed token. */
export function readToken(token: string) {
  return { ...decodeProtectedHeader(token), ...decodeJwt(token) } as Readonly<Record<string, unknown>>
}
