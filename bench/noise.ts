/**
 * How noisy the machine was during a measurement: processor time that the hypervisor gave to other guests, and processor
 * time that processes used which do not belong to the measurement.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Shares of the processor time of all cores. */
export interface Noise {
  readonly stolen: number
  readonly others: number
}

interface Times {
  readonly all: number
  readonly busy: number
  readonly stolen: number
  readonly own: number
}

/** The fields of /proc/PID/stat after the name, which may contain spaces; undefined when the process has ended. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/**
 * Ticks of this process and its descendants. Each counts the children that it has waited for, so that nothing is lost
 * when one ends.
 */
function ownTicks(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(pid)
      if (fields === undefined) return []
      // utime, stime, cutime, cstime: fields 14 to 17 of the whole line.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return [{ pid, parent: fields[1] ?? '', ticks }]
    })
  const family = new Set([String(process.pid)])
  for (let before = 0; before !== family.size; ) {
    before = family.size
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid)
  }
  return processes.reduce((sum, { pid, ticks }) => (family.has(pid) ? sum + ticks : sum), 0)
}

function readTimes(): Times | undefined {
  let line: string | undefined
  try {
    line = /^cpu .*$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[0]
  } catch {
    // Only Linux has it.
  }
  if (line === undefined) return undefined
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system
  return { all: busy + idle + wait + irq + softIrq + stolen, busy, stolen, own: ownTicks() }
}

/** Begins to observe; the function it answers tells the noise since then, or undefined where Linux is not. */
export function observeNoise(): () => Noise | undefined {
  const before = readTimes()
  return () => {
    const after = readTimes()
    if (before === undefined || after === undefined) return undefined
    const all = Math.max(1, after.all - before.all)
    const others = after.busy - before.busy - (after.own - before.own)
    return { stolen: (after.stolen - before.stolen) / all, others: Math.max(0, others) / all }
  }
}

/** A sentence for people. */
export function describeNoise(noise: Noise | undefined): string {
  if (noise === undefined) return 'noise of the machine unknown'
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return `${percent(noise.stolen)} of the processor time stolen by other guests, ${percent(noise.others)} used by other processes`
}
