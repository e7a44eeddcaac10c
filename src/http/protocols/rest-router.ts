/**
 * Reads the REST paths of methods from the contract, and finds the route of a path: fixed paths by one lookup, the
 * others segment by segment in a tree.
 */
import type { DescMethod } from '@bufbuild/protobuf'
import { http } from '../../../contract/gen/google/api/annotations_pb.ts'
import { messageOption } from '../../access/message-option.ts'

/** One path of a method. */
export interface RestRule {
  /** In upper case. */
  readonly verb: string
  /** `/v2/users/{user_id}` */
  readonly template: string
  /**
   * `*`: the body contains all fields that are not in the path. Empty: the query does. Otherwise the name of the body
   * field.
   */
  readonly body: string
}

/** All paths of a method, the preferred one first. Throws when a rule of the contract has no path. */
export function restRulesOf(method: DescMethod): readonly RestRule[] {
  const rule = messageOption(method, http)
  if (rule === undefined) return []
  return [rule, ...rule.additionalBindings].map(({ pattern, body }) => {
    if (pattern.case === undefined) throw new Error(`${method.parent.typeName}/${method.name} is bound to no path`)
    return { verb: pattern.case.toUpperCase(), template: pattern.value, body }
  })
}

/** A match: the target of the route and the path parameters, still encoded. */
export interface Match<Target> {
  readonly target: Target
  readonly values: readonly string[]
}

/** A path that exists, but not with this HTTP method. */
export interface WrongVerb {
  readonly allowed: readonly string[]
}

/** Finds the route of a path. */
export type FindRestRoute<Target> = (verb: string, path: string) => Match<Target> | WrongVerb | undefined

interface Node<Target> {
  readonly fixed: Map<string, Node<Target>>
  named?: Node<Target>
  readonly targets: Map<string, Target>
}

function node<Target>(): Node<Target> {
  return { fixed: new Map(), targets: new Map() }
}

const NO_VALUES: readonly string[] = []

/** A route in the form of the contract: `/v2/users/{user_id}`. */
export interface Route<Target> {
  readonly verb: string
  readonly template: string
  readonly target: Target
}

/** The parameter names in a template, in order. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
}

/** Builds the router. Throws when two routes are equal or a template is not supported. */
export function openRestRouter<Target>(routes: readonly Route<Target>[]): FindRestRoute<Target> {
  const root = node<Target>()
  for (const route of routes) insert(root, route)
  const fixed = new Map(
    routes.filter(({ template }) => !template.includes('{')).map((route) => [`${route.verb} ${route.template}`, route]),
  )
  return (verb, path) => {
    const direct = fixed.get(`${verb} ${path}`)
    if (direct !== undefined) return { target: direct.target, values: NO_VALUES }
    if (!path.startsWith('/')) return undefined
    const values: string[] = []
    const verbs = new Set<string>()
    const target = walk(root, path.split('/'), 1, verb, values, verbs)
    if (target !== undefined) return { target, values }
    return verbs.size > 0 ? { allowed: [...verbs].sort() } : undefined
  }
}

function insert<Target>(root: Node<Target>, { verb, template, target }: Route<Target>): void {
  if (!/^(\/([A-Za-z0-9._~-]+|\{[a-z0-9_.]+\}))+$/.test(template)) throw new Error(`cannot serve the path ${template}`)
  let at = root
  for (const segment of template.split('/').slice(1)) {
    if (segment.startsWith('{')) {
      at.named ??= node()
      at = at.named
      continue
    }
    const next = at.fixed.get(segment) ?? node<Target>()
    at.fixed.set(segment, next)
    at = next
  }
  if (at.targets.has(verb)) throw new Error(`two methods are bound to ${verb} ${template}`)
  at.targets.set(verb, target)
}

/** A segment that is fixed at its place in some route is never the value of a name: `_search` is no id. */
function walk<Target>(
  at: Node<Target>,
  segments: readonly string[],
  index: number,
  verb: string,
  values: string[],
  verbs: Set<string>,
): Target | undefined {
  const segment = segments[index]
  if (segment === undefined) {
    for (const known of at.targets.keys()) verbs.add(known)
    return at.targets.get(verb)
  }
  const fixed = at.fixed.get(segment)
  if (fixed !== undefined) return walk(fixed, segments, index + 1, verb, values, verbs)
  if (at.named === undefined || segment === '') return undefined
  values.push(segment)
  const named = walk(at.named, segments, index + 1, verb, values, verbs)
  if (named === undefined) values.pop()
  return named
}
