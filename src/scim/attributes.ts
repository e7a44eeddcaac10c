/** Attributes of SCIM resources (RFC 7643 §2): one table each says how values are read, filtered, patched and described. */

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime' | 'binary'
  /** The parts of a complex attribute. */
  readonly parts?: readonly Attribute[]
  readonly isMany?: boolean
  /** How many values a request can give it. Default: 100. */
  readonly most?: number
  readonly isRequired?: boolean
  /** Texts are compared without case unless this is set. */
  readonly isCaseExact?: boolean
  /** Default: `readWrite`. */
  readonly mutability?: 'readOnly' | 'writeOnly' | 'immutable'
  /** Default: `default`. */
  readonly returned?: 'always' | 'never' | 'request'
  readonly isUnique?: boolean
  /** Suggestions, not limits. */
  readonly examples?: readonly string[]
  readonly references?: readonly string[]
  readonly description: string
}

export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

/** A kind of resource: its own schema, and those that extend it. */
export interface ResourceSchema extends Schema {
  readonly endpoint: string
  readonly extensions: readonly Schema[]
}

/** Attributes that every resource has (RFC 7643 §3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    isMany: true,
    isRequired: true,
    isCaseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    description: 'The schemas of the resource.',
  },
  {
    name: 'id',
    type: 'string',
    isCaseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    description: 'The ID that the server has given.',
  },
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    description: 'Data about the resource.',
    parts: [
      { name: 'resourceType', type: 'string', isCaseExact: true, mutability: 'readOnly', description: 'Its type.' },
      { name: 'created', type: 'dateTime', mutability: 'readOnly', description: 'When it was created.' },
      { name: 'lastModified', type: 'dateTime', mutability: 'readOnly', description: 'When it was last changed.' },
      { name: 'location', type: 'reference', mutability: 'readOnly', description: 'Its address.' },
      { name: 'version', type: 'string', isCaseExact: true, mutability: 'readOnly', description: 'Its ETag.' },
    ],
  },
]

/** The attribute with this name, in any case. */
export function attributeNamed(list: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase()
  return list.find((one) => one.name.toLowerCase() === wanted)
}

/** The part that stands for a complex attribute when none is named. */
export function valuePartOf(attribute: Attribute): Attribute {
  return (attribute.type === 'complex' ? attributeNamed(attribute.parts ?? [], 'value') : undefined) ?? attribute
}

/** Where an attribute is: in an extension or not, and the part of it that is meant. */
export interface AttributePath {
  /** The schema of the extension; undefined for attributes of the resource itself. */
  readonly extension: string | undefined
  /** Undefined: the extension as a whole. */
  readonly attribute: Attribute | undefined
  readonly part: Attribute | undefined
}

/** The path of an attribute as the schemas write it. */
export function nameOfPath({ extension, attribute, part }: AttributePath): string {
  const steps = [attribute, part].flatMap((one) => one?.name ?? [])
  return [...(extension === undefined ? [] : [extension]), steps.join('.')].join(':')
}

const NAME = /^[A-Za-z$][A-Za-z\d_$-]*$/

/** Whether a text can be the name of an attribute (RFC 7643 §2.1, and `$ref`). */
export function isAttributeName(text: string): boolean {
  return NAME.test(text) && text.length <= 100
}

function isPrefix(path: string, urn: string): boolean {
  const start = path.slice(0, urn.length).toLowerCase()
  return start === urn.toLowerCase() && (path.length === urn.length || path[urn.length] === ':')
}

/** Finds what `attr`, `attr.sub` or either of them behind the name of a schema means; undefined when nothing has it. */
export function findPath(resource: ResourceSchema, text: string): AttributePath | undefined {
  const extension = resource.extensions.find(({ id }) => isPrefix(text, id))
  const schema = extension ?? (isPrefix(text, resource.id) ? resource : undefined)
  const rest = schema === undefined ? text : text.slice(schema.id.length + 1)
  if (extension !== undefined && rest === '') return { extension: extension.id, attribute: undefined, part: undefined }
  const [name = '', sub, ...more] = rest.split('.')
  if (more.length > 0) return undefined
  const list = extension?.attributes ?? [...COMMON_ATTRIBUTES, ...resource.attributes]
  const attribute = attributeNamed(list, name)
  if (attribute === undefined) return undefined
  const part = sub === undefined ? undefined : attributeNamed(attribute.parts ?? [], sub)
  if (sub !== undefined && part === undefined) return undefined
  return { extension: extension?.id, attribute, part }
}
