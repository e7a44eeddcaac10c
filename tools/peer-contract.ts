/** The contract that clients of the ZITADEL API are generated from: the published package, and what is newer than it. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { DescEnum, DescMessage, DescService } from '@bufbuild/protobuf'
import type { ComparedService } from './compare-contract.ts'
import { describeFile, type KnownType } from './describe-file.ts'
import { NEWER } from './newer-contract.ts'

const folder = join(dirname(fileURLToPath(import.meta.resolve('@zitadel/proto/zitadel/user_pb.js'))), '..')

type Exported = DescService | DescMessage | DescEnum | { readonly kind: 'file' } | undefined

/** The services that clients know, each once, with all of its methods. */
export async function peerServices(): Promise<readonly ComparedService[]> {
  const services: DescService[] = []
  const types = new Map<string, KnownType>()
  for (const path of globSync('zitadel/**/*_pb.js', { cwd: folder })) {
    const exported: Record<string, Exported> = await import(pathToFileURL(join(folder, path)).href)
    for (const value of Object.values(exported)) {
      if (value?.kind === 'service') services.push(value)
      else if (value?.kind === 'message' || value?.kind === 'enum') {
        types.set(value.typeName, { isEnum: value.kind === 'enum', file: value.file })
      }
    }
  }
  const newer = Object.entries(NEWER).flatMap(([name, text]) => describeFile(name, text, types))
  const byName = Map.groupBy([...services, ...newer], ({ typeName }) => typeName)
  return [...byName].map(([typeName, all]) => ({ typeName, methods: all.flatMap(({ methods }) => methods) }))
}
