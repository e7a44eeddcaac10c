/** Reads a short text as descriptors: what `newer-contract.ts` is written in. */
import { create, createFileRegistry, type DescFile, type DescService } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
  MethodDescriptorProtoSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt'

/** A type of another file: its full name, whether it is an enum, and the file. */
export interface KnownType {
  readonly isEnum: boolean
  readonly file: DescFile
}

const SCALARS: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  bool: FieldDescriptorProto_Type.BOOL,
  uint32: FieldDescriptorProto_Type.UINT32,
  uint64: FieldDescriptorProto_Type.UINT64,
}

const WELL_KNOWN: ReadonlyMap<string, KnownType> = new Map([
  ['google.protobuf.Timestamp', { isEnum: false, file: file_google_protobuf_timestamp }],
  ['google.protobuf.Duration', { isEnum: false, file: file_google_protobuf_duration }],
])

function enumOf(name: string, names: string): EnumDescriptorProto {
  const [prefix = '', ...values] = names.trim().split(/\s+/)
  const all = ['UNSPECIFIED', ...values].map((value, number) => ({ name: `${prefix}_${value}`, number }))
  return create(EnumDescriptorProtoSchema, { name, value: all })
}

function serviceOf(name: string, names: string): ServiceDescriptorProto {
  const method = names
    .trim()
    .split(/\s+/)
    .map((one) =>
      create(MethodDescriptorProtoSchema, { name: one, inputType: `${one}Request`, outputType: `${one}Response` }),
    )
  return create(ServiceDescriptorProtoSchema, { name, method })
}

/** `1 name type; 2 names [type]; 3 one type |`: a list is in brackets, and a bar puts the field into the oneof. */
function messageOf(name: string, text: string, typeOf: (name: string) => object): DescriptorProto {
  const parts = text.split(';').map((part) => part.trim().split(/\s+/))
  const field = parts.flatMap(([number = '', fieldName = '', type = '', bar]) => {
    if (number === '') return []
    const isList = type.startsWith('[')
    return create(FieldDescriptorProtoSchema, {
      name: fieldName,
      jsonName: fieldName.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      number: Number(number),
      label: isList ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
      ...typeOf(type.replace(/[[\]]/g, '')),
      ...(bar === '|' && { oneofIndex: 0 }),
    })
  })
  const hasOneof = parts.some(([, , , bar]) => bar === '|')
  return create(DescriptorProtoSchema, { name, field, ...(hasOneof && { oneofDecl: [{ name: 'one' }] }) })
}

/** The services of a package that is written as lines `Message: fields`, `enum Name: PREFIX VALUES` and `service Name: methods`. */
export function describeFile(
  packageName: string,
  text: string,
  types: ReadonlyMap<string, KnownType> = new Map(),
): readonly DescService[] {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => /^\s*(?:(enum|service) )?(\w+):(.*)$/.exec(line) ?? [])
  const enums = new Set(lines.flatMap(([, kind, name = '']) => (kind === 'enum' ? [name] : [])))
  const used = new Map<string, DescFile>()
  const typeOf = (name: string) => {
    const scalar = SCALARS[name]
    if (scalar !== undefined) return { type: scalar }
    const foreign = types.get(name) ?? WELL_KNOWN.get(name)
    if (foreign !== undefined) used.set(foreign.file.proto.name, foreign.file)
    const isEnum = foreign?.isEnum ?? enums.has(name)
    const { ENUM, MESSAGE } = FieldDescriptorProto_Type
    return { type: isEnum ? ENUM : MESSAGE, typeName: foreign === undefined ? `.${packageName}.${name}` : `.${name}` }
  }
  const local = (service: ServiceDescriptorProto) => {
    for (const method of service.method) {
      method.inputType = `.${packageName}.${method.inputType}`
      method.outputType = `.${packageName}.${method.outputType}`
    }
    return service
  }
  const of = (wanted?: string) => lines.filter(([, kind, name]) => kind === wanted && name !== undefined)
  const file = create(FileDescriptorProtoSchema, {
    name: `${packageName}.proto`,
    package: packageName,
    syntax: 'proto3',
    enumType: of('enum').map(([, , name = '', values = '']) => enumOf(name, values)),
    messageType: of().map(([, , name = '', fields = '']) => messageOf(name, fields, typeOf)),
    service: of('service').map(([, , name = '', methods = '']) => local(serviceOf(name, methods))),
  })
  file.dependency = [...used.keys()]
  return createFileRegistry(file, (name) => used.get(name)).getFile(file.name)?.services ?? []
}
