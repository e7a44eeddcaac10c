/** Alternative names for existing clients: procedure paths and REST prefixes. */

/** The name prefix that a caller uses. Error details use the same one. */
export type Prefix = 'signet' | 'zitadel'

const OURS: Prefix = 'signet'
const THEIRS: Prefix = 'zitadel'

/** Earlier names of a version, all served by this version. */
const VERSION_ALIASES: Readonly<Record<string, readonly string[]>> = { v2: ['v2', 'v2beta', 'v2alpha'] }

/** REST prefixes of earlier versions, and the prefixes that serve them. */
const REST_ALIASES: readonly (readonly [from: string, to: string])[] = [
  ['/v2beta/', '/v2/'],
  ['/v2alpha/', '/v2/'],
]

/** All names of a service, with the prefix that their callers use. */
export function serviceNames(service: string): readonly (readonly [name: string, prefix: Prefix])[] {
  const own = [service, OURS] as const
  // signet.<area>.<version>.<Service>
  const parts = /^signet\.(.+)\.(v\d+)\.([^.]+)$/.exec(service)
  if (parts === null) return [own]
  const [, area, version = '', name] = parts
  const versions = VERSION_ALIASES[version] ?? [version]
  return [own, ...versions.map((alias) => [`${THEIRS}.${area}.${alias}.${name}`, THEIRS] as const)]
}

/** All paths of a procedure, with the prefix that their callers use. */
export function procedurePaths(service: string, method: string): readonly (readonly [path: string, prefix: Prefix])[] {
  return serviceNames(service).map(([name, prefix]) => [`/${name}/${method}`, prefix])
}

/** The path that serves a REST path, with the prefix that its caller uses. */
export function restPath(path: string): readonly [path: string, prefix: Prefix] {
  for (const [from, to] of REST_ALIASES) {
    if (path.startsWith(from)) return [to + path.slice(from.length), THEIRS]
  }
  return [path, path.startsWith(`/${THEIRS}.`) ? THEIRS : OURS]
}
