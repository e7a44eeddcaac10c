/** Refusals about the resources of projects. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const resourceRefusals = {
  'resource.invalid': ['invalid', 'A resource is invalid.'],
  'resource.uri_taken': ['conflict', 'Another project already has a resource with this URI.'],
  'resource.host_not_proven': ['precondition', 'The organization has not verified the domain of a resource.'],
  'resource.is_api_project': ['precondition', 'The project of the API cannot have resources.'],
} as const satisfies Catalogue

/** A code about resources. */
export type ResourceRefusal = keyof typeof resourceRefusals
