/** Every service that the contract declares, in the order of their names. */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DescService } from '@bufbuild/protobuf'

const generated = fileURLToPath(new URL('../contract/gen', import.meta.url))

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}

/** Reads the services from the generated code. */
export async function readServices(): Promise<readonly DescService[]> {
  const files = globSync('**/*_pb.ts', { cwd: generated })
  const modules = await Promise.all(files.map(async (file) => await import(`${generated}/${file}`)))
  const services = modules.flatMap((exports) => Object.values<unknown>(exports).filter(isService))
  return services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1))
}
