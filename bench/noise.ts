/**
 * How noisy the machine was during a measurement: processor time that the hypervisor gave to other guests, and processor
 * time that processes used which do not belong to the measurement.
 */
import { machineTimes, processorSecondsOf } from './processor-time.ts'

/** Shares of the processor time of all cores. */
export interface Noise {
  readonly stolen: number
  readonly others: number
}

/** Begins to observe; the function it answers tells the noise since then, or undefined where Linux is not. */
export function observeNoise(): () => Noise | undefined {
  const before = machineTimes()
  if (before === undefined) return () => undefined
  const ownBefore = processorSecondsOf(process.pid)
  return () => {
    const after = machineTimes() ?? before
    const all = Math.max(0.01, after.all - before.all)
    const others = after.busy - before.busy - (processorSecondsOf(process.pid) - ownBefore)
    return { stolen: (after.stolen - before.stolen) / all, others: Math.max(0, others) / all }
  }
}

/** A sentence for people. */
export function describeNoise(noise: Noise | undefined): string {
  if (noise === undefined) return 'noise of the machine unknown'
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return `${percent(noise.stolen)} of the processor time stolen by other guests, ${percent(noise.others)} used by other processes`
}
