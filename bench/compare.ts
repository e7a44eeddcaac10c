/**
 * `node bench/compare.ts FOLDER [call …] [SQLite|PostgreSQL] [rounds]`: the server of this checkout beside that of another
 * one, for instance a git worktree of the commit before, in alternating rounds. Calls: addMachine (operation 6), create,
 * update, read. Prints the medians of the ratios of each round, by rate and by processor time of a request.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freshDatabase } from '../test/support/postgres.ts'
import { CALLERS, type CallName, type Calls, openCalls, TITLES } from './calls.ts'
import { describeNoise, observeNoise } from './noise.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'
import { failuresOf, latenciesOf, measureInTurn, ratioOf, type Speed, type Target } from './speed.ts'
import { median, spread } from './statistics.ts'
import { perSecond, printTable, type Row } from './table.ts'

const SECONDS = 0.25
const ENGINES = ['SQLite', 'PostgreSQL']
const AIM = '≥ 95 %'

interface Opened {
  readonly server: Signet
  readonly calls: Calls
}

async function open(engine: string, checkout: URL): Promise<Opened> {
  const database = engine === 'PostgreSQL' ? await freshDatabase() : undefined
  const server = await startSignet(database?.url, { environment: UNLIMITED, checkout })
  return { server, calls: await openCalls(server) }
}

function rowsOf(what: string, ours: readonly Speed[], other: readonly Speed[]): Row[] {
  const rates = (speeds: readonly Speed[]) => speeds.map((speed) => speed.perSecond)
  const costs = (speeds: readonly Speed[]) => speeds.map((speed) => 1e6 / speed.perProcessorSecond)
  return [
    {
      what: `${what}, rate`,
      figure: perSecond(median(rates(ours))),
      ratio: ratioOf(ours, other, (speed) => speed.perSecond),
      of: perSecond(median(rates(other))),
      aim: AIM,
      spread: spread(rates(ours)),
      note: [...failuresOf([...ours, ...other]), `${latenciesOf(ours)}; other ${latenciesOf(other)}`].join(', '),
    },
    {
      what: `${what}, by processor time`,
      figure: `${median(costs(ours)).toFixed(0)} µs`,
      ratio: ratioOf(ours, other, (speed) => speed.perProcessorSecond),
      of: `${median(costs(other)).toFixed(0)} µs`,
      aim: AIM,
      spread: spread(costs(ours)),
    },
  ]
}

async function compare(engine: string, folder: string, names: readonly CallName[], rounds: number): Promise<Row[]> {
  const here = await open(engine, new URL('../', import.meta.url))
  const there = await open(engine, pathToFileURL(`${resolve(folder)}/`))
  const targets: Record<string, Target> = {}
  for (const name of names) {
    targets[`${name} here`] = { server: here.server, load: here.calls[name](CALLERS) }
    targets[`${name} there`] = { server: there.server, load: there.calls[name](CALLERS) }
  }
  const speeds = await measureInTurn(targets, { rounds, seconds: SECONDS })
  await here.server.stop()
  await there.server.stop()
  return names.flatMap((name) =>
    rowsOf(`${TITLES[name]}, ${engine}`, speeds[`${name} here`] ?? [], speeds[`${name} there`] ?? []),
  )
}

const [folder = '', ...words] = process.argv.slice(2)
const allNames = Object.keys(TITLES) as CallName[]
const numbers = words.filter((word) => /^\d+$/.test(word))
const named = words.filter((word) => !numbers.includes(word))
const wrong = named.find((word) => ![...allNames, ...ENGINES].includes(word))
if (!existsSync(resolve(folder, 'src/main.js')) || wrong !== undefined) {
  console.error(wrong === undefined ? `"${folder}" is no checkout of Signet.` : `There is no call or engine ${wrong}.`)
  console.error(`node bench/compare.ts FOLDER [${allNames.join('|')} …] [${ENGINES.join('|')}] [rounds]`)
  process.exit(2)
}
const names = allNames.filter((name) => named.includes(name))
const engines = ENGINES.filter((engine) => named.includes(engine))
for (const engine of engines.length > 0 ? engines : ENGINES) {
  const noise = observeNoise()
  const rows = await compare(engine, folder, names.length > 0 ? names : allNames, Number(numbers[0] ?? 30))
  console.log(`${engine}, this checkout beside ${folder}: ${describeNoise(noise())}`)
  printTable(rows)
  console.log()
}
// The PostgreSQL server of the test support ends with this process.
process.exit()
