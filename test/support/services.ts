/** All methods of the contract, so that tests over all of them never miss a new one. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { services } from '../../contract/gen/services.ts'

/** All methods of all services except those that stream, by their full name: `signet.org.v2.OrganizationService/AddOrganization`. */
export const allMethods: ReadonlyMap<string, DescMethodUnary> = new Map(
  services.flatMap((service) =>
    service.methods
      .filter(({ methodKind }) => methodKind === 'unary')
      .map((method) => [`${service.typeName}/${method.name}`, method as DescMethodUnary]),
  ),
)
