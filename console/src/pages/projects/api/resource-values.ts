/** The resources of a project in its form, and the request that they make. */
import type { ProjectResource } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { resourceKey } from '../../../../../src/kernel/resource-key.ts'

export interface ScopeValues {
  readonly key: string
  readonly description: string
}

export interface ResourceValues extends Record<string, unknown> {
  readonly uri: string
  readonly isDefault: boolean
  readonly scopes: readonly ScopeValues[]
}

export const NO_SCOPE: ScopeValues = { key: '', description: '' }

/** The values of a resource, or those of a new one. There is always a scope to type into. */
export function valuesOf(resource?: ProjectResource): ResourceValues {
  const scopes = resource?.scopes.map(({ key, description }) => ({ key, description })) ?? []
  return {
    uri: resource?.uri ?? '',
    isDefault: resource?.isDefault ?? false,
    scopes: scopes.length === 0 ? [NO_SCOPE] : scopes,
  }
}

function isTyped({ key, description }: ScopeValues): boolean {
  return key.trim() !== '' || description.trim() !== ''
}

/** The rows of the form that are sent, by their places in the form. */
export function typedRows({ scopes }: ResourceValues): readonly number[] {
  return scopes.flatMap((scope, index) => (isTyped(scope) ? [index] : []))
}

export interface ScopeTexts {
  readonly required: string
  readonly taken: string
}

/** What is wrong with the scopes, by field. */
export function scopeProblems({ scopes }: ResourceValues, { required, taken }: ScopeTexts): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [index, scope] of scopes.entries()) {
    if (!isTyped(scope)) continue
    const isTaken = scopes.slice(0, index).some(({ key }) => key.trim() === scope.key.trim())
    if (scope.key.trim() === '') found[`scopes.${index}.key`] = required
    else if (isTaken) found[`scopes.${index}.key`] = taken
    if (scope.description.trim() === '') found[`scopes.${index}.description`] = required
  }
  return found
}

/** Whether another resource of the project has this URI. */
export function isTaken(uri: string, resources: readonly ProjectResource[], edited: ProjectResource | undefined) {
  return resources.some((one) => one.uri !== edited?.uri && resourceKey(one.uri) === resourceKey(uri.trim()))
}

/** All resources after one was added, or changed in its place. There is one default at most: the one that was chosen last. */
export function resourcesWith(
  resources: readonly ProjectResource[],
  edited: ProjectResource | undefined,
  values: ResourceValues,
) {
  const fresh = {
    uri: values.uri.trim(),
    isDefault: values.isDefault,
    scopes: values.scopes.filter(isTyped).map(({ key, description }) => ({
      key: key.trim(),
      description: description.trim(),
    })),
  }
  const kept = resources.map((one) =>
    one.uri === edited?.uri
      ? { ...plain(one), ...fresh }
      : { ...plain(one), isDefault: one.isDefault && !fresh.isDefault },
  )
  return edited === undefined ? [...kept, fresh] : kept
}

/** All resources but one. */
export function resourcesWithout(resources: readonly ProjectResource[], removed: ProjectResource) {
  return resources.filter(({ uri }) => uri !== removed.uri).map(plain)
}

/** They are replaced as a whole: what the form does not know stays as it is. */
function plain({ $typeName: _, $unknown: __, ...resource }: ProjectResource) {
  return { ...resource, scopes: resource.scopes.map(({ key, description }) => ({ key, description })) }
}

/** The fields of the form by their paths in the request. */
export function fieldsByPath(values: ResourceValues, place: number): ReadonlyMap<string, string> {
  const rows = typedRows(values)
  return new Map([
    [`resources[${place}].uri`, 'uri'],
    ...rows.flatMap((row, at): readonly [string, string][] => [
      [`resources[${place}].scopes[${at}].key`, `scopes.${row}.key`],
      [`resources[${place}].scopes[${at}].description`, `scopes.${row}.description`],
    ]),
  ])
}
