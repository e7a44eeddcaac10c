/** Processor time of processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

interface ProcessTimes {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

/** Undefined when the process has ended. */
function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields after the name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // utime, stime, cutime, cstime: fields 14 to 17 of the whole line.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

/**
 * Seconds of a process and its descendants, all threads, user and system. Each counts the children that it has waited for,
 * so that nothing is lost when one ends.
 */
export function processorSecondsOf(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (timesOf(Number(name)) ?? []) : []))
  const family = new Set([pid])
  for (let before = 0; before !== family.size; ) {
    before = family.size
    for (const one of all) if (family.has(one.parent)) family.add(one.pid)
  }
  return all.reduce((sum, one) => (family.has(one.pid) ? sum + one.ticks : sum), 0) / TICKS_PER_SECOND
}

/** The processor time of the whole machine since its start, in seconds of one core. */
export interface MachineTimes {
  readonly all: number
  readonly busy: number
  /** What the hypervisor gave to other guests. */
  readonly stolen: number
}

/** Undefined where Linux is not. */
export function machineTimes(): MachineTimes | undefined {
  let line: string | undefined
  try {
    line = /^cpu .*$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[0]
  } catch {
    return undefined
  }
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0] = (line ?? '')
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND)
  const busy = user + nice + system
  return { all: busy + idle + wait + irq + softIrq + stolen, busy, stolen }
}
