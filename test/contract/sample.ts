/**
 * A service that exists only in tests, described by hand: it has every kind of field and every option that the wire must
 * understand, whatever the contract happens to use today.
 */
import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  type MessageInitShape,
  setExtension,
} from '@bufbuild/protobuf'
import {
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_duration,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  FieldDescriptorProto_Label as Label,
  type MethodOptions,
  MethodOptions_IdempotencyLevel,
  MethodOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt'
import { http } from '../../contract/gen/google/api/annotations_pb.ts'
import { HttpRuleSchema } from '../../contract/gen/google/api/http_pb.ts'
import { AliasSchema, aliases, replaced_by, success_status } from '../../contract/gen/signet/v1/options_pb.ts'
import type { Method } from '../../src/access/method.ts'

type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema>

let next = 1
function field(name: string, type: Type, more: FieldInit = {}): FieldDescriptorProto {
  return create(FieldDescriptorProtoSchema, {
    name,
    jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    type,
    number: next++,
    label: Label.OPTIONAL,
    ...more,
  })
}
function message(name: string, typeName: string, more: FieldInit = {}) {
  return field(name, Type.MESSAGE, { typeName, ...more })
}

function aliased(init: MessageInitShape<typeof AliasSchema>) {
  const options = create(FieldOptionsSchema)
  setExtension(options, aliases, [create(AliasSchema, init)])
  return { options }
}
const REPEATED = { label: Label.REPEATED }

const everything = [
  field('text', Type.STRING, aliased({ name: 'other_text', number: 901 })),
  field('flag', Type.BOOL),
  field('small', Type.INT32),
  field('small_unsigned', Type.UINT32),
  field('large', Type.INT64),
  field('large_unsigned', Type.UINT64),
  field('ratio', Type.DOUBLE),
  field('single', Type.FLOAT),
  field('raw', Type.BYTES),
  field('color', Type.ENUM, { typeName: '.signet.sample.v2.Color' }),
  field('texts', Type.STRING, REPEATED),
  field('numbers', Type.INT32, REPEATED),
  message('parts', '.signet.sample.v2.Everything', REPEATED),
  message('part', '.signet.sample.v2.Everything'),
  message('labels', '.signet.sample.v2.Everything.LabelsEntry', REPEATED),
  message('at', '.google.protobuf.Timestamp'),
  message('lasts', '.google.protobuf.Duration'),
  message('mask', '.google.protobuf.FieldMask'),
  message('object', '.google.protobuf.Struct'),
  message('any_value', '.google.protobuf.Value'),
  message('maybe', '.google.protobuf.StringValue'),
  field('left', Type.STRING, { oneofIndex: 0 }),
  message('right', '.signet.sample.v2.Everything', { oneofIndex: 0 }),
  message('maybe_flag', '.google.protobuf.BoolValue', { oneofIndex: 0 }),
  field('perhaps', Type.STRING, { oneofIndex: 1, proto3Optional: true }),
]
next = 1

const entry = [field('key', Type.STRING), field('value', Type.STRING)]

type RuleInit = MessageInitShape<typeof HttpRuleSchema>

function method(name: string, rule: RuleInit | undefined, set: (options: MethodOptions) => void = () => {}) {
  const options = create(MethodOptionsSchema)
  if (rule !== undefined) setExtension(options, http, create(HttpRuleSchema, rule))
  set(options)
  return { name, inputType: '.signet.sample.v2.Everything', outputType: '.signet.sample.v2.Everything', options }
}
function bound(verb: 'get' | 'put' | 'post' | 'delete' | 'patch', path: string, body = ''): RuleInit {
  return {
    pattern: { case: verb, value: path },
    body,
  }
}

const file = create(FileDescriptorProtoSchema, {
  name: 'sample.proto',
  package: 'signet.sample.v2',
  syntax: 'proto3',
  dependency: ['timestamp', 'duration', 'field_mask', 'struct', 'wrappers'].map(
    (name) => `google/protobuf/${name}.proto`,
  ),
  messageType: [
    {
      name: 'Everything',
      field: everything,
      nestedType: [{ name: 'LabelsEntry', field: entry, options: { mapEntry: true } }],
      oneofDecl: [{ name: 'choice' }, { name: '_perhaps' }],
    },
  ],
  enumType: [{ name: 'Color', value: ['COLOR_UNSPECIFIED', 'COLOR_RED'].map((name, number) => ({ name, number })) }],
  service: [
    {
      name: 'SampleService',
      method: [
        method('Echo', bound('post', '/v2/samples', '*')),
        method('Find', bound('get', '/v2/samples/{text}'), (options) => {
          options.idempotencyLevel = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS
        }),
        method('Change', bound('patch', '/v2/samples/{part.text}/parts/{small}', 'part')),
        method('Make', bound('put', '/v2/samples/{left}', '*'), (options) =>
          setExtension(options, success_status, 201),
        ),
        method('Remove', bound('delete', '/v2/samples/{text}'), (options) => {
          options.deprecated = true
          setExtension(options, replaced_by, 'signet.sample.v2.SampleService.Make')
        }),
      ],
    },
  ],
})
const dependencies = [
  file_google_protobuf_timestamp,
  file_google_protobuf_duration,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_wrappers,
]
const registry = createFileRegistry(
  create(FileDescriptorSetSchema, { file: [...dependencies.map(({ proto }) => proto), file] }),
)

function find<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('the sample is described wrongly')
  return found
}

/** A message with every kind of field. */
export const Everything: DescMessage = find(registry.getMessage('signet.sample.v2.Everything'))

/** A service with every kind of binding; each method answers with what it was asked. */
export const SampleService: DescService = find(registry.getService('signet.sample.v2.SampleService'))

/** The methods of the sample service: they give back the request. */
export const echoMethods: readonly Method[] = SampleService.methods.map((descriptor) => ({
  descriptor: descriptor as DescMethodUnary,
  handle: async (request) => request,
}))
