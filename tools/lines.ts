/**
 * `npm run lines`: how many lines each room of src has, without tests and languages, and in brackets its modules
 * or folders that have the most.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const MOST_NAMED = 5

const files = globSync('src/**/*.{ts,js}', { cwd: root }).filter(
  (file) => !/\.test\.ts$/.test(file) && !/(?:^|\/)texts\//.test(file),
)

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1
}

class Count {
  readonly #lines = new Map<string, number>()
  total = 0

  add(name: string, lines: number): void {
    this.#lines.set(name, (this.#lines.get(name) ?? 0) + lines)
    this.total += lines
  }

  largest(): readonly (readonly [string, number])[] {
    return [...this.#lines].toSorted(([, one], [, other]) => other - one)
  }
}

const rooms = new Map<string, Count>()
const all = new Count()
for (const file of files) {
  const lines = linesOf(file)
  const [, room = '', folder = ''] = file.split('/')
  const name = file.split('/').length > 2 ? room : 'src itself'
  const count = rooms.get(name) ?? new Count()
  rooms.set(name, count)
  count.add(file.split('/').length > 3 ? folder : 'files of its own', lines)
  all.add(name, lines)
}

const grouped = (lines: number) => lines.toLocaleString('en-US').padStart(8)
for (const [room, lines] of all.largest()) {
  const named = rooms.get(room)?.largest().slice(0, MOST_NAMED) ?? []
  const inside = named.map(([folder, own]) => `${folder} ${own.toLocaleString('en-US')}`).join(', ')
  console.log(`${grouped(lines)}  ${room}  (${inside})`)
}
console.log(`${grouped(all.total)}  in all`)

/** What becomes of an object on its way out of a database and into another one. */
const carrying =
  /^src\/(?:cli\/(?:export|import\/write)\/|cli\/import\/(?:[a-z]+-)?drafts?(?:-[a-z]+)?\.ts|module\/carried|features\/.*\/(?:carried|(?:import|follow)-[a-z-]+)\.ts)/
const carried = files.filter((file) => carrying.test(file))
const sum = carried.reduce((lines, file) => lines + linesOf(file), 0)
console.log(`${grouped(sum)}  of them carry objects (export, import, follow), in ${carried.length} files`)
