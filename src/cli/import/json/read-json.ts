/** Reads JSON files of any size part by part, with messages that name the file and the place in it. */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { meaningOf } from '../../setting-refused.ts'
import { CannotImport } from '../import.ts'
import { JsonBroken, JsonSplitter, parsePart } from './json-splitter.ts'
import { Members } from './members.ts'

/** A member of the outer object, or an element of a long list in it. */
export interface JsonValueAt {
  readonly member: string
  readonly index?: number
  readonly value: unknown
}

/** The bytes of a file; one whose name ends in `.gz` is unpacked. */
function bytesOf(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  if (!/\.gz$/i.test(file)) return stream
  const unpacked = createGunzip()
  stream.on('error', (error) => unpacked.destroy(error))
  return stream.pipe(unpacked)
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof CannotImport) return error
  if (error instanceof JsonBroken) return new CannotImport(`${basename(file)} ${error.message}.`)
  return error instanceof Error && 'code' in error ? new CannotImport(`${file} ${meaningOf(error)}.`) : error
}

/** The parts of a file, one after the other. */
export async function* readJson(file: string, isLong: (member: string) => boolean): AsyncGenerator<JsonValueAt> {
  const splitter = new JsonSplitter(isLong)
  try {
    for await (const piece of bytesOf(file)) {
      for (const part of splitter.push(piece)) {
        const { member, index } = part
        yield { member, ...(index !== undefined && { index }), value: parsePart(part) }
      }
    }
    splitter.end()
  } catch (error) {
    throw explained(file, error)
  }
}

/** The objects of a file with one on each line, or with a list of them. */
export async function* readObjects(file: string): AsyncGenerator<Members> {
  const name = basename(file)
  if (await isList(file)) {
    for await (const { index = 0, value } of readJson(file, () => false)) yield new Members(name, `[${index}]`, value)
    return
  }
  let number = 0
  try {
    for await (const line of createInterface({ input: bytesOf(file) as NodeJS.ReadableStream })) {
      number++
      if (line.trim() === '') continue
      const bytes = Buffer.from(line.replace(/^\uFEFF/, ''))
      yield new Members(name, `line ${number}`, parsePart({ member: `line ${number}`, bytes }))
    }
  } catch (error) {
    throw explained(file, error)
  }
}

/** Whether the first character that says something opens a list. */
async function isList(file: string): Promise<boolean> {
  try {
    for await (const piece of bytesOf(file)) {
      const first = Buffer.from(piece).toString('utf8').trimStart()
      if (first !== '') return first.startsWith('[')
    }
  } catch (error) {
    throw explained(file, error)
  }
  throw new CannotImport(`${basename(file)} is empty.`)
}
