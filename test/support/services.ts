/** Every service of the contract, found in the generated code, so that tests over all methods never miss a new one. */
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import type { DescMethodUnary, DescService } from '@bufbuild/protobuf'

const generated = join(import.meta.dirname, '../../contract/gen')

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}

async function findServices(): Promise<readonly DescService[]> {
  const services: DescService[] = []
  for await (const path of glob('**/*_pb.ts', { cwd: generated })) {
    const module: Record<string, unknown> = await import(join(generated, path))
    services.push(...Object.values(module).filter(isService))
  }
  return services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1))
}

export const allServices = await findServices()

/** All methods of all services, by their full name: `signet.org.v2.OrganizationService/AddOrganization`. */
export const allMethods: ReadonlyMap<string, DescMethodUnary> = new Map(
  allServices.flatMap((service) =>
    service.methods.map((method) => [`${service.typeName}/${method.name}`, method as DescMethodUnary]),
  ),
)
