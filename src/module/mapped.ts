/**
 * A correspondence between the members of a value and the fields of a message, read both ways. Each member and each field
 * stands in it once, or the table does not compile.
 */
import { type Duration, durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'

/** How a member is written in a field, and read from one. */
export interface Codec<Member, Field, Given = Field> {
  show(member: Member): Field
  read(field: Given): Member
}

// biome-ignore lint/suspicious/noExplicitAny: a codec for whatever is the same on both sides
export const same: Codec<any, any> = { show: (member) => member, read: (field) => field }

/** Answers count in 64 bits, requests in 32. */
export const count: Codec<number, bigint, number | bigint> = { show: BigInt, read: Number }

/** A duration that a request leaves out is 0. */
export const milliseconds: Codec<number, Duration, Duration | undefined> = {
  show: durationFromMs,
  read: (duration) => (duration === undefined ? 0 : durationMs(duration)),
}

type Row<Value, Message> = {
  readonly [Member in keyof Value]-?: {
    readonly [Field in keyof Message]-?: readonly [
      Field,
      // biome-ignore lint/suspicious/noExplicitAny: what requests give can be wider than what answers have
      Codec<NonNullable<Value[Member]>, NonNullable<Message[Field]>, any>,
    ]
  }[keyof Message]
}

type Used<Table> = {
  [Member in keyof Table]: Table[Member] extends readonly [infer Field, unknown] ? Field : never
}[keyof Table]

/** What protobuf adds, and what is no part of the value. */
type Own<Message, Left> = Omit<Message, '$typeName' | '$unknown' | (Left & keyof Message)>

type Shown<Table, Message> = Pick<Message, Used<Table> & keyof Message>

type Read<Table> = {
  readonly [Member in keyof Table as Table[Member] extends readonly [infer Field extends string, unknown]
    ? Field
    : never]?: Table[Member] extends readonly [unknown, { read(field: infer Given): unknown }] ? Given : never
}

export interface Mapped<Value, Message, Table> {
  show(value: Value): Shown<Table, Message>
  read(message: Read<Table>): Value
}

/** `Left`: fields of the message that say something else than the value. */
export const mapped =
  <Value, Message, Left extends string = never>() =>
  <const Table extends Row<Value, Own<Message, Left>>>(
    table: Table &
      (Exclude<keyof Own<Message, Left>, Used<Table>> extends never
        ? unknown
        : { readonly missing: Exclude<keyof Own<Message, Left>, Used<Table>> }),
  ): Mapped<Value, Message, Table> => {
    const rows = Object.entries(
      table as unknown as Readonly<Record<string, readonly [string, Codec<unknown, unknown>]>>,
    )
    const each = (convert: (row: (typeof rows)[number]) => readonly [to: string, value: unknown]) =>
      Object.fromEntries(rows.map(convert).filter(([, value]) => value !== undefined))
    return {
      show: (value) => each(([member, [field, codec]]) => [field, codec.show(value[member as keyof Value])]) as never,
      read: (message) =>
        each(([member, [field, codec]]) => [member, codec.read(message[field as keyof typeof message])]) as never,
    }
  }
