/**
 * Writes contract/gen from contract/proto. Beside the code of protoc-gen-es it writes comments.ts, the
 * comments of the contract by name, which the OpenAPI document and the reference show: descriptors do not carry them;
 * and services.ts, the list of all services, by which the start finds methods that are not implemented.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromBinary } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
} from '@bufbuild/protobuf/wkt'
import { programs } from './programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs buf, which finds protoc-gen-es beside it. Throws what it says when it fails. */
export function runBuf(...words: readonly string[]): void {
  const binaries = programs()
  const path = `${binaries}${delimiter}${process.env.PATH ?? ''}`
  // It ends before its memory is worth collecting.
  const env = { ...process.env, PATH: path, GOGC: 'off' }
  const { status, stdout, stderr } = spawnSync(join(binaries, 'buf'), words, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`buf ${words[0]} failed:\n${stdout}${stderr}`.trimEnd())
}

// Paths in source_code_info are pairs of field number and index (google/protobuf/descriptor.proto):
// a file has messages 4, enums 5, services 6; a message fields 2, nested 3, enums 4; a service methods 2.
function namesOfMessage(message: DescriptorProto, name: string, path: string): (readonly [string, string])[] {
  return [
    [path, name],
    ...message.field.map((field, i) => [`${path},2,${i}`, `${name}.${field.name}`] as const),
    ...message.nestedType.flatMap((nested, i) => namesOfMessage(nested, `${name}.${nested.name}`, `${path},3,${i}`)),
    ...message.enumType.map((one, i) => [`${path},4,${i}`, `${name}.${one.name}`] as const),
  ]
}

function namesOfService(service: ServiceDescriptorProto, name: string, path: string): (readonly [string, string])[] {
  return [[path, name], ...service.method.map((method, i) => [`${path},2,${i}`, `${name}.${method.name}`] as const)]
}

function namesByPath(file: FileDescriptorProto): ReadonlyMap<string, string> {
  return new Map([
    ...file.messageType.flatMap((one, i) => namesOfMessage(one, `${file.package}.${one.name}`, `4,${i}`)),
    ...file.enumType.map((one, i) => [`5,${i}`, `${file.package}.${one.name}`] as const),
    ...file.service.flatMap((one, i) => namesOfService(one, `${file.package}.${one.name}`, `6,${i}`)),
  ])
}

function commentsOf(file: FileDescriptorProto): (readonly [string, string])[] {
  const names = namesByPath(file)
  return (file.sourceCodeInfo?.location ?? []).flatMap((location) => {
    const name = names.get(location.path.join(','))
    const text = location.leadingComments.trim().replaceAll(/\s*\n\s*/g, ' ')
    return name && text ? [[name, text] as const] : []
  })
}

function readImage(image: string): readonly FileDescriptorProto[] {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image))
  return file.filter((one) => one.package.startsWith('signet.') || one.package.startsWith('grpc.'))
}

function writeServices(files: readonly FileDescriptorProto[], path: string): void {
  const services = files
    .flatMap((file) => file.service.map(({ name }) => ({ name, file, fullName: `${file.package}.${name}` })))
    .sort((a, b) => (a.fullName < b.fullName ? -1 : 1))
    // Two versions of an area may name their service alike.
    .map(({ name, file, fullName }) => ({ name, module: file.name, local: fullName.replaceAll('.', '_') }))
  const imports = services.map(
    ({ name, module, local }) => `import { ${name} as ${local} } from './${module.replace(/\.proto$/, '_pb.ts')}';\n`,
  )
  const head = `// Written by tools/generate.ts: every service of the contract, in the order of their names.
import type { DescService } from '@bufbuild/protobuf';
`
  const lines = services.map(({ local }) => `  ${local},\n`)
  const list = `export const services: readonly DescService[] = [\n${lines.join('')}];\n`
  writeFileSync(path, `${head}${imports.join('')}\n${list}`)
}

function writeComments(files: readonly FileDescriptorProto[], path: string): void {
  const lines = files
    .flatMap(commentsOf)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`)
  const head =
    '// Written by tools/generate.ts: the comments of the contract, by the full name of what they describe.\n'
  writeFileSync(path, `${head}export const comments: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`)
}

const FROM_LIBRARY = /^import \{ (.*\bfileDesc\b.*) \} from ("@bufbuild\/protobuf\/codegenv2");$/m

/** Makes the generated code describe files with contract/describe-file.ts. */
function useOwnDescription(folder: string): void {
  for (const name of globSync('**/*_pb.ts', { cwd: folder })) {
    const own = `${'../'.repeat(name.split('/').length)}describe-file.ts`
    const text = readFileSync(join(folder, name), 'utf8')
    const changed = text.replace(FROM_LIBRARY, (_, names: string, library: string) => {
      const others = names.split(', ').filter((one) => one !== 'fileDesc')
      const rest = others.length === 0 ? '' : `import { ${others.join(', ')} } from ${library};\n`
      return `${rest}import { fileDesc } from "${own}";`
    })
    if (changed === text) throw new Error(`${name} does not import fileDesc as expected.`)
    writeFileSync(join(folder, name), changed)
  }
}

/** Writes what contract/gen must hold into the folder `target`, which is emptied first. */
export function generateContract(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'signet-gen-'))
  try {
    const image = join(folder, 'image.binpb')
    const fresh = join(folder, 'contract', 'gen')
    runBuf('build', '--output', image)
    runBuf('generate', image, '--output', folder)
    useOwnDescription(fresh)
    const files = readImage(image)
    writeComments(files, join(fresh, 'comments.ts'))
    writeServices(files, join(fresh, 'services.ts'))
    rmSync(target, { recursive: true, force: true })
    cpSync(fresh, target, { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
