/** Alternative names for existing clients: procedure paths and REST prefixes. */

/** The name prefix that a caller uses. Error details use the same one. */
export type Prefix = 'signet' | 'zitadel'

const OURS: Prefix = 'signet'
export const THEIRS: Prefix = 'zitadel'

/**
 * Which earlier versions of an area `v2` serves: those whose messages are the same on the wire. Areas that are not listed
 * have other messages there (org, internal_permission, application, project, authorization, instance), and reading them
 * as those of `v2` would misread them: they are UNIMPLEMENTED (docs/decisions/0032).
 */
const EARLIER_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  user: ['v2beta', 'v2alpha'],
  session: ['v2beta', 'v2alpha'],
  settings: ['v2beta', 'v2alpha'],
  idp: ['v2beta'],
  oidc: ['v2beta', 'v2alpha'],
  webkey: ['v2beta'],
  feature: ['v2beta'],
  action: ['v2beta'],
}

const SERVING_VERSION = 'v2'

/** The version in a path of earlier clients: `/v2beta/users`, `/zitadel.user.v2beta.UserService/…`. */
const EARLIER_PATH = /^\/(?:zitadel\.[a-z_.]+\.)?(v2beta|v2alpha)[/.]/

function partsOf(service: string) {
  // signet.<area>.<version>.<Service>
  const [, area = '', version = '', name = ''] = /^signet\.(.+)\.(v\d+)\.([^.]+)$/.exec(service) ?? []
  const earlier = version === SERVING_VERSION ? (EARLIER_VERSIONS[area] ?? []) : []
  return { area, version, name, earlier }
}

/** All names of a service, with the prefix that their callers use. */
export function serviceNames(service: string): readonly (readonly [name: string, prefix: Prefix])[] {
  const own = [service, OURS] as const
  const { area, version, name, earlier } = partsOf(service)
  if (name === '') return [own]
  return [own, ...[version, ...earlier].map((alias) => [`${THEIRS}.${area}.${alias}.${name}`, THEIRS] as const)]
}

/** Whether the messages of a service are the same in an earlier version of its area. */
export function servesVersion(service: string, version: string): boolean {
  return partsOf(service).earlier.includes(version)
}

/** Whether a path names an earlier version, of an area that is served or not. */
export function isEarlierPath(path: string): boolean {
  return EARLIER_PATH.test(path)
}

/** All paths of a procedure, with the prefix that their callers use. */
export function procedurePaths(service: string, method: string): readonly (readonly [path: string, prefix: Prefix])[] {
  return serviceNames(service).map(([name, prefix]) => [`/${name}/${method}`, prefix])
}

/** A REST path as the contract spells it. */
export interface RestPath {
  readonly path: string
  readonly prefix: Prefix
  /** The earlier version that the caller named. */
  readonly version?: string
}

/** The path that serves a REST path, and whose names its caller speaks. */
export function restPath(path: string): RestPath {
  const [start, version] = /^\/(v2beta|v2alpha)\//.exec(path) ?? []
  if (start === undefined || version === undefined) {
    return { path, prefix: path.startsWith(`/${THEIRS}.`) ? THEIRS : OURS }
  }
  return { path: `/${SERVING_VERSION}/${path.slice(start.length)}`, prefix: THEIRS, version }
}
