/** Converts queries of the organization service to filters of the kind `organization`. */

import { OrganizationState } from '../../../contract/gen/signet/org/v2/org_pb.ts'
import type { OrganizationDomainQuery, SearchQuery } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { OrganizationFieldName } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { type Filter, textFilter } from '../../store/index.ts'
import { ORGANIZATION_DOMAIN_CLAIM, type OrganizationField } from './documents.ts'

const NONE: Filter<OrganizationField> = { any: [] }

const STATUS: Readonly<Record<number, string>> = {
  [OrganizationState.ACTIVE]: 'active',
  [OrganizationState.INACTIVE]: 'inactive',
}

/** Domains are stored folded, so all text methods ignore case. One text contains all domains, between line breaks. */
export function domainFilter(method: number, domain: string): Filter<OrganizationField> {
  const text = searchText(domain)
  const sought = [`\n${text}\n`, `\n${text}`, text, `${text}\n`][method >> 1] ?? text
  // A line break in the query would match across two domains.
  if (text.includes('\n')) return NONE
  const contains: Filter<OrganizationField> = { field: 'domains', contains: sought }
  const isEqual = method >> 1 === 0
  // Only one organization can have a domain, and it is found without a search.
  return isEqual
    ? { all: [{ field: 'id', holds: { kind: ORGANIZATION_DOMAIN_CLAIM, value: text } }, contains] }
    : contains
}

/** One condition of a list as a filter. */
export function filterOf({ query }: SearchQuery, defaultOrganizationId: string): Filter<OrganizationField> {
  switch (query.case) {
    case 'nameQuery':
      return textFilter({ folded: 'name', typed: ['typedName'] }, query.value.method, query.value.name)
    case 'domainQuery':
      return domainFilter(query.value.method, query.value.domain)
    case 'stateQuery': {
      const status = STATUS[query.value.state]
      return status === undefined ? NONE : { field: 'status', equals: status }
    }
    case 'idQuery':
      return { field: 'id', equals: query.value.id }
    case 'defaultQuery':
      return { field: 'id', equals: defaultOrganizationId }
    case undefined:
      return NONE
  }
}

/** The sort field of a list; by default the creation date. */
export function sortingOf(column: OrganizationFieldName): OrganizationField | 'createdAt' {
  return column === OrganizationFieldName.NAME ? 'name' : 'createdAt'
}

/** Applies a text method to one domain, for the list of an organization's own domains. */
export function matchesDomain(
  domain: string,
  { domain: text, method }: Pick<OrganizationDomainQuery, 'domain'> & { readonly method: number },
): boolean {
  const sought = searchText(text)
  const ways = [domain === sought, domain.startsWith(sought), domain.includes(sought), domain.endsWith(sought)]
  return ways[method >> 1] === true
}
