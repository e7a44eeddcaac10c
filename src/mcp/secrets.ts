/**
 * What agents never see nor send: the fields that the contract marks as secret (`debug_redact`). A model reads along, and so
 * does whoever runs it.
 */
import { type DescField, type DescMessage, getOption, type Message } from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { field as rulesOfField } from '../../contract/gen/buf/validate/validate_pb.ts'

function isSecret(field: DescField): boolean {
  return field.proto.options?.debugRedact === true
}

/** Whether a message is nothing without this field. */
function isNeeded(field: DescField): boolean {
  const { required, type } = getOption(field, rulesOfField)
  return (
    required ||
    (field.presence === FeatureSet_FieldPresence.IMPLICIT && type.case === 'string' && type.value.minLen > 0n)
  )
}

/** The fields of messages that agents cannot send: secrets, and messages that are nothing without one. */
export class SecretFields {
  readonly #known = new Map<DescMessage, ReadonlySet<DescField>>()

  /** Those of this message itself. */
  of(message: DescMessage): ReadonlySet<DescField> {
    const known = this.#known.get(message)
    if (known !== undefined) return known
    // Messages can be recursive.
    this.#known.set(message, new Set())
    const hidden = new Set(
      message.fields.filter(
        (field) => isSecret(field) || (field.message !== undefined && this.isHidden(field.message)),
      ),
    )
    this.#known.set(message, hidden)
    return hidden
  }

  /** Whether a message can only be sent with a secret. */
  isHidden(message: DescMessage): boolean {
    return [...this.of(message)].some(isNeeded)
  }

  /** The first secret in a message, as a path; undefined when there is none. */
  firstIn(desc: DescMessage, message: Message): string | undefined {
    for (const [field, inner, path] of setFields(reflect(desc, message))) {
      if (this.of(desc).has(field)) return path
      for (const one of inner) {
        const below = this.firstIn(one.desc, one.message)
        if (below !== undefined) return `${path}.${below}`
      }
    }
    return undefined
  }
}

/** Whether a reply is there to give a secret: it has one that is always set. */
export function givesSecret(message: DescMessage, outer: readonly DescMessage[] = []): boolean {
  if (outer.includes(message)) return false
  return message.fields.some((field) =>
    isSecret(field)
      ? field.presence === FeatureSet_FieldPresence.IMPLICIT
      : field.message !== undefined && givesSecret(field.message, [...outer, message]),
  )
}

/** Removes the secrets from a message, all the way down. */
export function removeSecrets(desc: DescMessage, message: Message): void {
  const reflected = reflect(desc, message)
  for (const [field, inner] of setFields(reflected)) {
    if (isSecret(field)) reflected.clear(field)
    else for (const one of inner) removeSecrets(one.desc, one.message)
  }
}

/** The fields of a message that are set, with the messages in them. */
function setFields(reflected: ReflectMessage): readonly (readonly [DescField, readonly ReflectMessage[], string])[] {
  return reflected.fields
    .filter((field) => reflected.isSet(field))
    .map((field) => [field, messagesIn(reflected, field), field.jsonName] as const)
}

function messagesIn(reflected: ReflectMessage, field: DescField): readonly ReflectMessage[] {
  if (field.fieldKind === 'message') return [reflected.get(field)]
  if (field.fieldKind === 'list' && field.listKind === 'message') return [...reflected.get(field)] as ReflectMessage[]
  if (field.fieldKind === 'map' && field.mapKind === 'message')
    return [...reflected.get(field).values()] as ReflectMessage[]
  return []
}
