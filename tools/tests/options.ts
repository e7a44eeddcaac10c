/** The words and options after `npm test --`. */
import { spawnSync } from 'node:child_process'
import type { Extent } from './plan.ts'

export interface TestOptions {
  /** Parts of paths that select files. */
  readonly words: readonly string[]
  readonly extent: Extent
  /** How often all of it runs. */
  readonly repeat: number
  /** How many busy processes run beside it. */
  readonly beside: number
  /** How many processors it may use; all when it is not set. */
  readonly cores: number | undefined
  /** Options of node. */
  readonly ofNode: readonly string[]
}

const EXTENTS: Readonly<Record<string, Extent>> = { '--all': 'all', '--long': 'long' }
const NUMBERS = ['--repeat', '--beside', '--cores'] as const

export const USAGE = `npm test -- [options] [parts of paths]
  --all        everything, on both databases
  --long       what npm test leaves out
  --repeat N   runs it N times and counts what failed how often
  --beside N   with N busy processes beside it
  --cores N    on N processors
  and options of node, such as --test-name-pattern=…`

function isOfNode(option: string): boolean {
  return spawnSync(process.execPath, [option, '--version'], { stdio: 'ignore' }).status === 0
}

/** What was asked for; throws with a sentence about the first option that is not known or not a number. */
export function readOptions(given: readonly string[]): TestOptions {
  const words: string[] = []
  const ofNode: string[] = []
  const numbers = new Map<string, number>()
  let extent: Extent | undefined
  const rest = [...given]
  for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
    const [name = '', value] = one.split('=', 2)
    if (!one.startsWith('-')) words.push(one)
    else if (EXTENTS[one] !== undefined) extent = EXTENTS[one]
    else if ((NUMBERS as readonly string[]).includes(name)) numbers.set(name, numberOf(name, value ?? rest.shift()))
    else if (isOfNode(one)) ofNode.push(one)
    else throw new Error(`npm test has no option ${one}.`)
  }
  return {
    words,
    extent: words.length > 0 ? 'all' : (extent ?? 'short'),
    repeat: numbers.get('--repeat') ?? 1,
    beside: numbers.get('--beside') ?? 0,
    cores: numbers.get('--cores'),
    ofNode,
  }
}

function numberOf(name: string, text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`${name} needs a number from 1 to 9999${text === undefined ? '' : `, not ${text}`}.`)
}
