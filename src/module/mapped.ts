/**
 * A correspondence between the members of a value and the fields of a message, read both ways. Each member and each field
 * stands in it once, or the table does not compile.
 */
import { type Duration, durationFromMs, durationMs, type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Instant } from '../kernel/instant.ts'
import { instantOf } from './instants.ts'

/** How a member is written in a field, and read from one. */
export interface Codec<Member, Field, Given = Field> {
  show(member: Member): Field
  read(field: Given): Member
  /** What a field that is not given says; not set: nothing. */
  readonly absent?: Member
}

// biome-ignore lint/suspicious/noExplicitAny: a codec for whatever is the same on both sides
export const same: Codec<any, any> = { show: (member) => member, read: (field) => field }

/** Answers count in 64 bits, requests in 32. */
export const count: Codec<number, bigint, number | bigint> = { show: BigInt, read: Number }

/** One side says what is allowed, the other what is not. */
export const opposite: Codec<boolean, boolean> = { show: (member) => !member, read: (field) => !field }

/** A duration that a request leaves out is not given. */
export const duration: Codec<number, Duration> = { show: durationFromMs, read: durationMs }

/** A duration that a request leaves out is 0. */
export const milliseconds: Codec<number, Duration> = { ...duration, absent: 0 }

/** Dates, of which we count the milliseconds. */
export const when: Codec<Instant, Timestamp> = { show: timestampFromMs, read: instantOf }

/** A list that nobody can change where it is stored. */
export const texts: Codec<readonly string[], string[]> = { show: (list) => [...list], read: (list) => list }

/** Text that messages have as bytes. */
export const utf8: Codec<string, Uint8Array> = {
  show: (text) => new TextEncoder().encode(text),
  read: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
}

/** Our words for the numbers of the contract. Other numbers are refused by its limits, or stand for `otherwise`. */
export function words<const Numbers extends Readonly<Record<string, number>>>(
  numbers: Numbers,
  otherwise?: keyof Numbers & string,
) {
  type Word = keyof Numbers & string
  const names = new Map(Object.entries(numbers).map(([word, number]) => [number, word as Word]))
  const read = (number: number): Word => {
    const word = names.get(number) ?? otherwise
    if (word === undefined) throw new Error(`the contract lets ${number} through, which stands for nothing`)
    return word
  }
  const show = (word: Word) => numbers[word]
  const one: Codec<Word, Numbers[Word], number> = { show, read }
  /** Of a list, each once. */
  const list: Codec<readonly Word[], Numbers[Word][], readonly number[]> = {
    show: (all) => all.map(show),
    read: (all) => [...new Set(all)].map(read),
  }
  return { ...one, list }
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
    : never]?: Table[Member] extends readonly [unknown, { read(field: infer Given): unknown }]
    ? Given | undefined
    : never
}

export interface Mapped<Value, Message, Table> {
  show(value: Value): Shown<Table, Message>
  /** What a message does not have is left out. */
  read(message: Read<Table>): Value
  /** The field of a member, which a violation names. */
  path(member: keyof Table & string): string
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
      show: (value) =>
        each(([member, [field, codec]]) => {
          const given = value[member as keyof Value]
          return [field, given === undefined ? undefined : codec.show(given)]
        }) as never,
      read: (message) =>
        each(([member, [field, codec]]) => {
          const given = message[field as keyof typeof message]
          return [member, given === undefined ? codec.absent : codec.read(given)]
        }) as never,
      path: (member) => (table[member] as unknown as readonly [string])[0],
    }
  }
