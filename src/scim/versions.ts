/**
 * ETags (RFC 7644 §3.14). A version has a part about the resource itself and, where related resources were read too, one about
 * those: the members of a group, the groups of a user. A version without the second part says nothing about them.
 */
import { createHash } from 'node:crypto'

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
}

/** The version of a resource with this content. */
export function versionOf(content: unknown): string {
  return `W/"${digest(content)}"`
}

/**
 * A version that also tells when somebody last joined or left. What is cached is out of date then; a change that names the version
 * is about the rest.
 */
export function withTurn(version: string, at: number | undefined): string {
  return at === undefined ? version : `${version.slice(0, -1)}~${at.toString(36)}"`
}

/** A version that also tells which related resources there are. */
export function withRelated(version: string, ids: readonly string[]): string {
  return `${version.slice(0, -1)}.${digest([...ids].sort())}"`
}

function bare(tag: string): string {
  return tag.trim().replace(/^W\//i, '')
}

function namesIn(header: string): readonly string[] {
  return header.split(',').map(bare)
}

/** Whether a version is one of those that `If-None-Match` names (RFC 9110 §13.1); ETags are compared weakly. */
export function isNamed(header: string, version: string): boolean {
  return namesIn(header).some((one) => one === '*' || one === bare(version))
}

/** Whether `If-Match` names a version of the related resources, too. */
export function namesRelated(header: string): boolean {
  return namesIn(header).some((one) => one.includes('.'))
}

/** Whether `If-Match` allows a change of this version; related resources are compared if both name them. */
export function allows(header: string, version: string): boolean {
  const partsOf = (tag: string) =>
    tag
      .replaceAll('"', '')
      .replace(/~[^.]*/, '')
      .split('.')
  const [own, related] = partsOf(bare(version))
  return namesIn(header).some((one) => {
    const [named, namedRelated = related] = partsOf(one)
    return one === '*' || (named === own && (related === undefined || namedRelated === related))
  })
}
