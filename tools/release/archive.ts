/**
 * Archives (.tar.gz) whose bytes follow from their content alone, for a release that can be built again and compared. The
 * reader refuses what nobody needs and attackers like: links, absolute names, and names that lead out of the folder.
 */
import { gunzipSync, gzipSync } from 'node:zlib'

export interface Entry {
  readonly name: string
  readonly content: Uint8Array
  readonly isExecutable?: boolean
}

const BLOCK = 512
/** A year in which each file of an archive was changed; some programs complain about 1970. */
const CHANGED = Date.UTC(2000, 0, 1) / 1000

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

/** Whether a name stays in the folder that an archive is unpacked in. */
function isInside(name: string): boolean {
  const parts = name.split('/')
  return name !== '' && !/[\\\0]/.test(name) && !parts.some((part) => part === '' || part === '.' || part === '..')
}

/** The fields of a header in the order of POSIX.1-1988 (ustar). */
function headerOf({ name, content, isExecutable = false }: Entry): Buffer {
  const cut = name.length > 100 ? name.lastIndexOf('/', 154) : -1
  const [prefix, base] = [name.slice(0, Math.max(cut, 0)), name.slice(cut + 1)]
  if (!isInside(name) || base.length > 100 || /[^\x20-\x7e]/.test(name))
    throw new Error(`${name}: no name for an archive`)
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`
  const header = Buffer.alloc(BLOCK)
  let at = 0
  const put = (text: string, width: number) => {
    header.write(text, at, 'latin1')
    at += width
  }
  put(base, 100)
  put(octal(isExecutable ? 0o755 : 0o644, 8), 8)
  put(octal(0, 8), 8)
  put(octal(0, 8), 8)
  put(octal(content.length, 12), 12)
  put(octal(CHANGED, 12), 12)
  put(' '.repeat(8), 8)
  put('0', 1)
  put('', 100)
  put('ustar\x0000', 8)
  put('', 64)
  put(octal(0, 8), 8)
  put(octal(0, 8), 8)
  put(prefix, 155)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

export function pack(entries: readonly Entry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const parts = sorted.flatMap((entry) => {
    const filling = Buffer.alloc(padded(entry.content.length) - entry.content.length)
    return [headerOf(entry), entry.content, filling]
  })
  const packed = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 6 })
  // The byte that names the system on which it was packed.
  packed[9] = 255
  return packed
}

/** The files of an archive; throws about one that no archive of ours has. */
export function unpack(archive: Uint8Array): readonly Entry[] {
  const bytes = gunzipSync(archive)
  const entries: Entry[] = []
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) break
    const text = (from: number, width: number) => {
      const field = header.toString('latin1', from, from + width)
      return field.split('\0')[0] ?? ''
    }
    const [base, prefix] = [text(0, 100), text(345, 155)]
    const name = prefix === '' ? base : `${prefix}/${base}`
    const size = Number.parseInt(text(124, 12).trim(), 8)
    if (!isInside(name)) throw new Error(`an archive must not contain ${JSON.stringify(name)}`)
    if (!['0', ''].includes(text(156, 1))) throw new Error(`an archive must contain files alone, and ${name} is none`)
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (!(size >= 0) || content.length !== size) throw new Error(`an archive is cut at ${name}`)
    entries.push({ name, content, isExecutable: (Number.parseInt(text(100, 8), 8) & 0o100) !== 0 })
    at += BLOCK + padded(size)
  }
  return entries
}
