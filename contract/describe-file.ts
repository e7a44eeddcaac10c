/** Describes a file of the contract. The generated code calls it. */
import type { DescFile } from '@bufbuild/protobuf'
import { fileDesc as describe, type GenFile } from '@bufbuild/protobuf/codegenv2'

const alone = new WeakMap<DescFile, DescFile>()

function withoutImports(file: DescFile): DescFile {
  const known = alone.get(file)
  if (known !== undefined) return known
  const copy = { ...file, dependencies: [] }
  alone.set(file, copy)
  return copy
}

/**
 * Replaces the function of the same name in the library, which visits everything that the imported files import, again
 * for every file: a third of the time that describing the contract takes at each start. A file only refers to what it
 * imports itself, because no import of the contract is public.
 */
export function fileDesc(text: string, imports: readonly DescFile[] = []): GenFile {
  return Object.assign(describe(text, imports.map(withoutImports)), { dependencies: [...imports] })
}
